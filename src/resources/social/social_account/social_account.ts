import { flag, integer, metadata, oneOf, servedAddress, text, timestamp, timeZone } from '../../../contract/kinds.ts'
import { exampleId, noun } from '../../../contract/noun.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'

export const SocialAccount = noun('social_account', {
  prefix: 'sacct',
  group: 'SocialAccounts',
  description: 'An account of the shop on a social network, through which posts are published and comments are read.',
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
  example: { status: 'connected', error_message: null, connect_url: null },
  hidden: {
    provider: text('The adapter that reaches the platform'),
    username_key: text('The username in lower case, by which it is unique').nullable(),
    sealed_credentials: text('The credentials in use, encrypted').nullable(),
    offered_credentials: text('Credentials that are yet to be checked, encrypted').nullable(),
    connecting: flag('Whether somebody can allow access at connect_url').default(true),
    redirect_url: text('Where the person goes who has allowed access').nullable(),
    refresh_job: text('The job that refreshes its figures').nullable(),
  },
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Social network').readOnly(),
    username: text('Name of the account on the platform, without @', { max: 100, example: 'adasbooks' })
      .nullable('not known before it is connected')
      .readOnly(),
    display_name: text('Name that the platform shows', { max: 200, example: 'Ada’s Books' })
      .nullable('not known')
      .readOnly(),
    profile_url: text('Address of its profile', { max: 2048, example: 'https://social.example/adasbooks' })
      .nullable('not known')
      .readOnly(),
    avatar_url: text('Address of its picture', { max: 2048, example: null }).nullable('none').readOnly(),
    label: text('Your own name for it', { max: 100, example: 'Main account' }).nullable('none').updateOnly(),
    status: oneOf(
      ['pending', 'connected', 'expired', 'error', 'disconnected'],
      'pending: nobody has allowed access yet; connected: posts can be published; expired: the platform no longer accepts the access that was given; error: connecting it failed; disconnected: it is gone, as the event of that says',
    ).readOnly(),
    connect_url: servedAddress(
      'Page where a person allows access; whoever has the address can',
      `https://shop.example/social/connect/${exampleId('sacct')}`,
    ).nullable('nobody is asked to, or the caller may not write'),
    sandbox: flag(
      'Served by the built-in sandbox, which reaches no platform: posts stay here, comments and figures are made up',
      true,
    ).derived(),
    default_timezone: timeZone('Time zone of new posts for it. At first that of the shop').updateOnly(),
    followers_count: integer('Number of followers', { min: 0, example: 1250 }).nullable('not known').readOnly(),
    last_synced_at: timestamp('When its profile, comments and figures were last read').nullable('never').readOnly(),
    error_message: text('Latest problem with it', { max: 500, example: null }).nullable('none').readOnly(),
    metadata: metadata().updateOnly(),
  },
})
