import { z } from 'zod'
import { Field, type Fields } from '../../../contract/declarations/field.ts'
import {
  oneOf,
  references,
  structure,
  text,
  texts,
  timestamp,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { nestedText } from '../../../contract/declarations/nested-text.ts'
import { richText } from '../../../contract/declarations/rich-text.ts'

const INVITES = {
  discord: /^https:\/\/(?:discord\.gg\/(?:invite\/)?|(?:www\.)?discord(?:app)?\.com\/invite\/)[\w-]{2,100}\/?$/i,
  telegram: /^https:\/\/(?:t|telegram)\.me\/(?:\+|joinchat\/)?[\w-]{3,100}\/?$/i,
} as const

const INVITE_PROBLEMS = {
  discord: 'must be an invite link of Discord, such as https://discord.gg/abcdef',
  telegram: 'must be an invite link of Telegram, such as https://t.me/+abcdef',
} as const

const MAX_CHAPTERS = 50
const MAX_LESSONS = 100
const MAX_FILES = 100
const MAX_ENTRIES = 100
const MAX_LESSON_TEXT = 100_000
const MAX_SECONDS = 86_400

const addressSchema = webAddress('Address', 'https://example.com').spec.schema as z.ZodType<string>
const momentSchema = timestamp('Moment').spec.schema as z.ZodType<string>
const lessonText = richText('Text', MAX_LESSON_TEXT, '<p>Words.</p>').spec.schema as z.ZodType<string>
const count = (most: number) => `has too many entries (maximum is ${most})`

const lesson = z.object({
  id: z.string().max(100).nullish(),
  title: nestedText(200),
  content_html: lessonText.nullish(),
  video_url: addressSchema.nullish(),
  duration_seconds: z.int().min(0, 'must be at least 0').max(MAX_SECONDS, `must be at most ${MAX_SECONDS}`).nullish(),
})

const chapter = z.object({
  id: z.string().max(100).nullish(),
  title: nestedText(200),
  lessons: z.array(lesson).max(MAX_LESSONS, count(MAX_LESSONS)).default([]),
})
export type WrittenChapter = z.infer<typeof chapter>

const titledLink = z.object({ title: nestedText(200), url: addressSchema })
const invite = (service: keyof typeof INVITE_PROBLEMS) =>
  addressSchema.refine((url) => isInvite(service, url), INVITE_PROBLEMS[service])
const chat = z.object({ title: nestedText(200), invite_url: invite('telegram').nullish() })
const session = z.object({
  title: nestedText(200),
  url: addressSchema,
  starts_at: momentSchema,
  ends_at: momentSchema,
})

const HIDDEN_ID = { type: ['string', 'null'], readOnly: true }
const TITLE = { type: 'string', maxLength: 200 }
const ADDRESS = { type: 'string', format: 'uri', maxLength: 2048 }
const INVITE = { ...ADDRESS, type: ['string', 'null'], description: 'Invite link; only buyers see it' }
const MOMENT = { type: 'string', format: 'date-time' }

const listOf = (properties: Record<string, object>, required: string[], maxItems: number) => ({
  type: 'array',
  maxItems,
  items: { type: 'object', properties, required },
})

const LESSONS = listOf(
  {
    id: HIDDEN_ID,
    title: TITLE,
    content_html: { type: ['string', 'null'], maxLength: MAX_LESSON_TEXT, contentMediaType: 'text/html' },
    video_url: { ...ADDRESS, type: ['string', 'null'] },
    duration_seconds: { type: ['integer', 'null'], description: 'Length in seconds' },
  },
  ['title'],
  MAX_LESSONS,
)

const anyAddress = webAddress('Invite link of the server; only buyers see it', 'https://discord.gg/abcdef')
const discordInvite = new Field<string, false, 'stored', null, 'always'>({
  ...anyAddress.spec,
  schema: invite('discord'),
}).nullable('none')

const list = <Value>(schema: z.ZodType<Value>, description: string, json: Record<string, unknown>) =>
  structure('array', z.array(schema), description, [], { json }).default([])

export const CONTENT_FIELDS = {
  course: {
    chapters: list(
      chapter,
      'Chapters with their lessons, in order',
      listOf({ id: HIDDEN_ID, title: TITLE, lessons: LESSONS }, ['title'], MAX_CHAPTERS),
    ),
  },
  download: { files: references('file', 'Files that buyers can download, in order', { max: MAX_FILES }).default([]) },
  written_content: {
    title: text('Heading of the text', { max: 200, example: 'Members’ notes' }).required(),
    body_html: richText('The text', 200_000, '<p>Words.</p>').default(''),
  },
  embed: { url: webAddress('Address of what is shown', 'https://example.com').required() },
  link: {
    links: list(titledLink, 'Links, in order', listOf({ title: TITLE, url: ADDRESS }, ['title', 'url'], MAX_ENTRIES)),
  },
  discord: {
    server_name: text('Name of the server', { max: 100, example: 'Readers' }).required(),
    role_names: texts('Roles that buyers get').default([]),
    invite_url: discordInvite.default(null),
  },
  telegram: {
    chats: list(
      chat,
      'Chats that buyers may join',
      listOf({ title: TITLE, invite_url: INVITE }, ['title'], MAX_ENTRIES),
    ),
  },
  event: {
    sessions: list(
      session,
      'Dates of the event',
      listOf(
        { title: TITLE, url: ADDRESS, starts_at: MOMENT, ends_at: MOMENT },
        ['title', 'url', 'starts_at', 'ends_at'],
        MAX_ENTRIES,
      ),
    ),
  },
  forum: { layout: oneOf(['feed', 'list', 'card'], 'Look of its topics').default('feed') },
} satisfies Record<string, Fields>
export type ItemType = keyof typeof CONTENT_FIELDS

/** The content fields of all types. The item_type decides which of them a request may set. */
export const ANY_CONTENT: Fields = Object.fromEntries(
  Object.values(CONTENT_FIELDS).flatMap((fields) =>
    Object.entries(fields as Fields).map(([name, field]) => [name, field.optional()]),
  ),
)

export function isInvite(service: keyof typeof INVITES, url: string): boolean {
  return INVITES[service].test(url)
}
