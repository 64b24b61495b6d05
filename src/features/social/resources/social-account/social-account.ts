import { z } from 'zod'
import {
  flag,
  integer,
  metadata,
  oneOf,
  servedAddress,
  structure,
  text,
  timestamp,
  timeZone,
} from '../../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../../contract/declarations/noun.ts'
import { AUDIENCES, INTERACTIONS } from '../../../../contract/values/post-audiences.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

const PostLimits = z
  .object({
    ...{ characters: z.int(), charactersPerLink: z.int(), media: z.int(), imageBytes: z.int(), videoBytes: z.int() },
    ...{ videoSeconds: z.int(), imagePixels: z.int(), videoPixels: z.int() },
    mediaTypes: z.array(z.string()),
    audiences: z.array(z.enum(AUDIENCES)),
    switchedOff: z.array(z.enum(INTERACTIONS)),
  })
  .partial()

/** The values from which a person may choose for the options of a post, by the names of the options in `overrides`. */
const PostOptions = z.object({
  privacy_level: z.array(z.enum(AUDIENCES)),
  ...{ allow_comments: z.boolean(), allow_duets: z.boolean(), allow_stitches: z.boolean() },
})

export const SocialAccount = noun('social_account', {
  prefix: 'sacct',
  group: 'SocialAccounts',
  area: 'content',
  description: 'The shop’s account on a social network, used to publish posts and read comments.',
  gist: 'own profile',
  events: ['created', 'updated', 'connected', 'expired', 'disconnected'],
  eventDescriptions: {
    connected: 'A social account was connected, so posts can be published on it.',
    disconnected: 'A social account was disconnected.',
  },
  notInEvents: ['connect_url'],
  states: {
    pending: ['reconnect'],
    connected: ['reconnect', 'sync'],
    expired: ['reconnect'],
    error: ['reconnect'],
    disconnected: [],
  },
  example: { status: 'connected', error_message: null, connect_url: null, post_options: null },
  hidden: {
    provider: text('The adapter that reaches the platform'),
    username_key: text('The username in lower case, by which it is unique').nullable(),
    sealed_credentials: text('The credentials in use, encrypted').nullable(),
    offered_credentials: text('Credentials that are yet to be checked, encrypted').nullable(),
    connecting: flag('Whether somebody can allow access at connect_url').default(true),
    redirect_url: text('Where the person goes who has allowed access').nullable(),
    renew_at: text('When its access is to be renewed').nullable(),
    renewing_until: text('Until when one job renews its access').nullable(),
    limits: structure('object', PostLimits, 'Limits of its own server', {}).nullable(),
    ended_version: text('The version of its API that the platform no longer took').nullable(),
    refresh_job: text('The job that refreshes its figures').nullable(),
  },
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Social network').readOnly(),
    username: text('Name of the account on the platform, without @', { max: 100, example: 'adasbooks' })
      .nullable('not known until it is connected')
      .readOnly(),
    display_name: text('Display name on the platform', { max: 200, example: 'Ada’s Books' })
      .nullable('not known')
      .readOnly(),
    profile_url: text('URL of its profile', { max: 2048, example: 'https://social.example/adasbooks' })
      .nullable('not known')
      .readOnly()
      .foreign(),
    avatar_url: text('URL of its picture', { max: 2048, example: null }).nullable('none').readOnly().foreign(),
    label: text('Your label for it', { max: 100, example: 'Main account' }).nullable('none').updateOnly(),
    status: oneOf(
      ['pending', 'connected', 'expired', 'error', 'disconnected'],
      'pending: waiting for someone to allow access; connected: posts can be published; expired: the platform no longer accepts the authorization; error: connecting failed; disconnected: removed, seen only in its event',
    ).readOnly(),
    connect_url: servedAddress(
      'Page where a person allows access; anyone with the URL can',
      `https://shop.example/social/connect/${exampleId('sacct')}`,
    ).nullable('nobody is asked to, or the caller may not write'),
    sandbox: flag(
      'Whether it uses the built-in sandbox, which contacts no platform: posts stay here, comments and figures are made up',
      true,
    ).derived(),
    post_options: structure<z.infer<typeof PostOptions>>(
      'object',
      PostOptions,
      'Choices for the options of each post on it: privacy levels, and interactions, where false means off on the platform',
      {
        privacy_level: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
        allow_comments: true,
        allow_duets: true,
        allow_stitches: false,
      },
    )
      .nullable('the platform asks for no choice')
      .derived(),
    default_timezone: timeZone('Time zone of new posts for it. Initially the shop’s').updateOnly(),
    followers_count: integer('Number of followers', { min: 0, example: 1250 }).nullable('not known').readOnly(),
    last_synced_at: timestamp('When its profile, comments and figures were last refreshed')
      .nullable('never')
      .readOnly(),
    error_message: text('Latest error', { max: 500, example: null }).nullable('none').readOnly(),
    metadata: metadata().updateOnly(),
  },
})

export type SocialAccountRow = Row<typeof SocialAccount>
