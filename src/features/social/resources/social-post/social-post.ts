import { z } from 'zod'
import {
  collection,
  flag,
  longText,
  metadata,
  oneOf,
  references,
  structure,
  text,
  timestamp,
  timeZone,
  webAddress,
} from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../../contract/declarations/noun.ts'
import { atMost } from '../../../../contract/values/characters.ts'
import { AUDIENCES } from '../../../../contract/values/post-audiences.ts'
import { PLATFORM_NAMES, type PlatformName } from '../social-platform/social-platform.ts'

/** The maximum length of a post's text. It exceeds the limit of every platform, so that errors can state the excess length. */
const MAX_CONTENT = 70_000
const MAX_FIRST_COMMENT = 2_000
const MAX_MEDIA = 40
const MAX_ACCOUNTS = 50

export type Overrides = { [Platform in PlatformName]?: Override | undefined }

/** A language tag with an optional script or region (BCP 47): `en`, `pt-BR`, `zh-Hant`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
const MAX_LANGUAGE = 35

const storable = (text: string) => !text.includes('\0') && text.isWellFormed()

const Options = z.object({
  privacy_level: z.enum(AUDIENCES).optional(),
  allow_comments: z.boolean().optional(),
  allow_duets: z.boolean().optional(),
  allow_stitches: z.boolean().optional(),
  your_brand: z.boolean().optional(),
  branded_content: z.boolean().optional(),
})

/** The parts of a post that differ on one platform. */
const Override = z.object({
  options: Options.optional(),
  content: z
    .string()
    .refine(...atMost(MAX_CONTENT))
    .meta({ maxLength: MAX_CONTENT })
    .refine(storable, 'must not contain NUL characters or lone surrogates')
    .optional(),
  media: z
    .array(z.string().max(200, 'is not an id'))
    .max(MAX_MEDIA, `has too many entries (maximum is ${MAX_MEDIA})`)
    .optional(),
})

export type Override = z.output<typeof Override>

const CONTENT_FIELDS = {
  content: longText(
    'Text of the post. The link is added on a new line and counts toward the length',
    MAX_CONTENT,
    'Our spring collection is here.',
  ).nullable('media only'),
  media: references('file', 'Ids of ready image and video files, in order', { max: MAX_MEDIA })
    .default([])
    .expandable(),
  link_url: webAddress('Link in the post', 'https://shop.example/spring').nullable('none'),
  first_comment: longText('Comment to add right below the post', MAX_FIRST_COMMENT, 'Questions? Ask here.').nullable(
    'none',
  ),
  language: text('Language of its text. Bluesky and Mastodon show posts to people who read it', {
    ...{ max: MAX_LANGUAGE, pattern: LANGUAGE, says: 'must be a language such as en or pt-BR', example: 'en' },
  }).nullable('not said'),
  overrides: structure<Overrides>(
    'object',
    z.partialRecord(z.enum(PLATFORM_NAMES), Override),
    'Different text or media for single platforms: `{"x": {"content": "…", "media": []}}`; what is left out stays the post’s. TikTok needs options, in which a person has chosen privacy_level, and takes allow_comments, allow_duets, allow_stitches, your_brand and branded_content; see post_options of the account',
    { x: { content: 'Spring is here.' } },
    { max: PLATFORM_NAMES.length },
  ).default({}),
  social_accounts: references('social_account', 'Ids of the accounts to publish it on', {
    max: MAX_ACCOUNTS,
    example: [exampleId('sacct')],
  })
    .required()
    .expandable(),
}

const TIME_FIELDS = {
  scheduled_at: timestamp(
    'When to publish it; in the future, within a year. Schedules the post on create; only a note on drafts',
  ).nullable('not scheduled'),
  timezone: timeZone('Time zone for showing its times; scheduled_at has its own offset. Default: its first account’s'),
}

/** The fields of a post in the request bodies of the operations that write or validate a post. */
export const WRITTEN = { ...CONTENT_FIELDS, ...TIME_FIELDS, metadata: metadata() }

export const SocialPost = noun('social_post', {
  prefix: 'spost',
  group: 'SocialPosts',
  area: 'content',
  description: 'A post for one or more social accounts: text, pictures, a video, a link.',
  gist: 'post on networks',
  foundBy: ['content'],
  events: ['created', 'updated', 'scheduled', 'published', 'partially_failed', 'failed', 'deleted'],
  eventDescriptions: {
    scheduled: 'A social post was scheduled.',
    published: 'A social post was published on all of its accounts.',
    partially_failed: 'A social post was published on some of its accounts and failed on others.',
    failed: 'A social post failed on all of its accounts.',
  },
  eventExpand: ['targets'],
  states: {
    draft: ['delete', 'duplicate', 'publish', 'schedule', 'update'],
    scheduled: ['delete', 'duplicate', 'publish', 'schedule', 'unschedule', 'update'],
    publishing: ['duplicate'],
    published: ['delete', 'duplicate'],
    partially_failed: ['delete', 'duplicate', 'retry'],
    failed: ['delete', 'duplicate', 'publish', 'retry', 'schedule'],
  },
  example: {
    status: 'draft',
    social_accounts: [exampleId('sacct')],
    scheduled_at: null,
    published_at: null,
  },
  hidden: {
    platforms: structure<PlatformName[]>('array', z.array(z.enum(PLATFORM_NAMES)), 'Platforms of its accounts', []),
    due_job: text('The job that publishes it').nullable(),
  },
  fields: {
    ...CONTENT_FIELDS,
    publish_now: flag('Whether to publish it at once; not together with scheduled_at')
      .default(false)
      .createOnly()
      .inputOnly(),
    status: oneOf(
      ['draft', 'scheduled', 'publishing', 'published', 'partially_failed', 'failed'],
      'draft: not scheduled; scheduled: will be published at scheduled_at; publishing: being sent to the platforms; partially_failed: published on some of its accounts only; published: on all of them; failed: on none',
    ).readOnly(),
    ...TIME_FIELDS,
    published_at: timestamp('When it was first published on any of its accounts').nullable('not published').readOnly(),
    targets: collection('social_post_target', 'Result for each of its accounts', { onlyExpanded: true }),
    metadata: metadata(),
  },
})

export type SocialPostRow = Row<typeof SocialPost>
