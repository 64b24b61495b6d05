import type { Audience } from '../../contract/values/post-audiences.ts'
import type { PostLimits } from './limits.ts'

/**
 * What an adapter keeps of a post on its way, such as the address of an upload or the id of a container, so that a later try
 * goes on where an earlier one ended. Encrypted, and removed when the post is published. Where the platform refuses, an adapter
 * keeps what is there of the post, for a retry by a person, or nothing, so that a retry begins anew.
 */
export interface Progress {
  /** What was kept last under the key of the request; empty at first. */
  readonly known: Readonly<Record<string, string>>
  /** Resolves when the values are stored, in place of those before. Rejects where another try goes on with the post. */
  keep(values: Record<string, string>): Promise<void>
}

/**
 * The platform refused, and would refuse the same request again. `expired` says that it no longer accepts the credentials:
 * a person has to allow access once more.
 */
export class PlatformRefusedError extends Error {
  override name = 'PlatformRefusedError'
  readonly expired: boolean

  constructor(message: string, { expired = false } = {}) {
    super(message)
    this.expired = expired
  }
}

/**
 * An earlier request may have reached the platform, and there is no way to find out. The service does not send it again by
 * itself; when a person does, after a look, it is a new request.
 */
export class OutcomeUnknownError extends PlatformRefusedError {
  override name = 'OutcomeUnknownError'
}

/** The platform limits how often it is asked, and has done nothing. The same request is sent again when it allows it. */
export class PlatformBusyError extends Error {
  override name = 'PlatformBusyError'
  /** Milliseconds since 1970. */
  readonly until: number

  constructor(message: string, until: number) {
    super(message)
    this.until = until
  }
}

/** The platform no longer takes the version of its API, and has done nothing. The request waits until the service asks for another one. */
export class VersionEndedError extends PlatformBusyError {
  override name = 'VersionEndedError'
  readonly version: string

  constructor(platform: string, version: string, until: number) {
    super(`${platform} no longer takes version ${version} of its API. Posts wait until the service is updated.`, until)
    this.version = version
  }
}

export interface Figures {
  impressions: number
  reach: number
  likes: number
  comments: number
  shares: number
  clicks: number
  saves: number
  followers: number
  followers_gained: number
}

/** The figures of one day: of the whole account, or of one post (by the platform's id). */
export interface DayFigures {
  date: string
  post: string | null
  figures: Figures
  /** The platform does not say how many followers there were that day, so that `followers` means nothing. */
  followersUnknown?: boolean
}

export interface PostTotals {
  post: string
  figures: Omit<Figures, 'followers' | 'followers_gained'>
}

export type { PostLimits } from './limits.ts'

/** What an adapter needs to act for an account: names and secret values that only the adapter reads. */
export type Credentials = Record<string, string>

/** An account on a platform, as its adapter is told of it. */
export interface Login {
  platform: string
  id: string
  username: string | null
  credentials: Credentials
  test: boolean
  /** Where people reach this service, without a slash at its end. */
  publicUrl: string
}

interface Asked {
  login: Login
  signal: AbortSignal
}

export interface Profile {
  username: string
  /** Another name of the same account, by which it may be stored. */
  otherUsername?: string
  displayName: string | null
  profileUrl: string | null
  avatarUrl: string | null
  followersCount: number | null
}

export interface Access {
  credentials: Credentials
  /** When to renew it, ISO 8601 in UTC; null or absent where it does not end by itself. */
  renewAt?: string | null
}

/** An account that may be used from now on. The credentials to keep may be others than those that were given. */
export interface Connection extends Access {
  profile: Profile
  /** What the account's own server allows; null or absent where the platform's limits are all that is known. */
  limits?: PostLimits | null
}

/** Apps that servers have registered for this service, by the server's address; kept encrypted. */
export interface AppStore {
  find(server: string): Promise<Credentials | null>
  keep(server: string, app: Credentials): Promise<void>
}

interface Authorizing {
  platform: string
  /** The address of the platform that the network sends the person back to. An adapter may use one below it for each server. */
  returnUrl: string
  signal: AbortSignal
}

export interface BeginRequest extends Authorizing {
  /** What the network repeats when it sends the person back. */
  state: string
  entered: Credentials
  apps: AppStore
}

export interface FinishRequest extends Authorizing {
  kept: Credentials
  /** What the network added to the address. */
  query: Record<string, string>
}

/** Something that the person may connect, such as one of several pages. */
export interface Choice {
  profile: Profile
  credentials: Credentials
}

/** The person said no, in a sentence; or what may be connected, of which the person chooses one where there are several. */
export type Finished = { declined: string } | { choices: Choice[] }

/** The network's own page for allowing access (OAuth 2). Both requests reject as those of a SocialProvider do. */
export interface Authorization {
  /** What is asked on our page before, such as the server. */
  readonly asks: readonly AccessField[]
  /**
   * Where to send the person, and what is kept meanwhile, encrypted, such as the verifier of the code. A person is taken back at
   * `redirect_uri` of what is kept, and at `returnUrl` where it has none.
   */
  begin(request: BeginRequest): Promise<{ url: string; kept: Credentials }>
  /** Trades what the network answered for access. */
  finish(request: FinishRequest): Promise<Finished>
  /**
   * What the network reads of this service at `clientPath`; absent where it knows the service by settings. Throws a
   * PlatformRefusedError where the service has no address that the network reads.
   */
  document?(client: { publicUrl: string; platform: string }): object
}

/** A person's choices for one post on a platform that asks for them. What is left out is not allowed. */
export interface PostOptions {
  privacy_level?: Audience | undefined
  allow_comments?: boolean | undefined
  allow_duets?: boolean | undefined
  allow_stitches?: boolean | undefined
  your_brand?: boolean | undefined
  /** It promotes somebody else, who pays for it. */
  branded_content?: boolean | undefined
}

export interface PublishRequest extends Asked {
  /** The same key is the same post, however often it is sent. */
  key: string
  /** An earlier request with this key may have reached the platform: find that out before posting anything. */
  again: boolean
  /** Our id of the target, for an adapter that shows posts itself. */
  target: string
  text: string
  /** Pictures and videos, in order. Whoever has the address of one can fetch it. */
  media: PostedFile[]
  firstComment: string | null
  /**
   * Of text and first comment (BCP 47), as the person has said it. Nothing else in a shop tells it, neither its country nor its prices,
   * and a post that names the wrong language is hidden from those who could read it, so no language is guessed.
   */
  language?: string
  /** Choices of the person for this platform alone; they have an audience where the platform asks for one. */
  options?: PostOptions
  /** Given with every delivery; `progressIn` is for adapters that need it. */
  progress?: Progress
}

export interface PostedFile {
  contentType: string
  size: number
  /** Length of a video; absent where it is not known. */
  durationMs?: number
  /** Pixels of its sides, as it is shown; absent where they are not known. */
  sides?: { width: number; height: number }
  url: string
  alternativeText: string | null
}

export interface Published {
  id: string
  url: string | null
  /** The platform's id of the first comment; null where the post brought none. */
  firstCommentId: string | null
}

/** A post that was published through us, by the id that the platform gave it. */
export interface KnownPost {
  id: string
  publishedAt: string
}

export interface SyncRequest extends Asked {
  posts: KnownPost[]
  /** First and last day to report on, as `2026-01-31`, in UTC. */
  from: string
  to: string
  /** The present moment by the account's clock, ISO 8601 in UTC. */
  now: string
}

export interface ReceivedComment {
  id: string
  /** The platform's id of the post; null for a post that was made elsewhere. */
  post: string | null
  parent: string | null
  authorName: string
  authorUsername: string | null
  content: string
  likesCount: number
  /** The account wrote it itself, outside of this service. */
  own?: boolean
}

/** What a platform says of an account. Comments are in the order of their writing, parents before their answers. */
export interface Snapshot {
  profile: Profile
  /** As of a connection; absent where they were not asked for. */
  limits?: PostLimits | null
  comments: ReceivedComment[]
  days: DayFigures[]
  /** In place of days, from a platform that counts without saying when: what is new since the last reading counts today. */
  totals?: PostTotals[]
}

export type CommentAction = 'reply' | 'hide' | 'unhide' | 'like' | 'unlike' | 'delete'

export interface CommentRequest extends Asked {
  /** The same key is the same request, however often it is sent. */
  key: string
  action: CommentAction
  /** An earlier request with this key may have reached the platform. */
  again: boolean
  comment: string
  content: string | null
}

/** A version of an API that the platform ends some day. */
export interface ApiVersion {
  version: string
  setting: string
}

/** What a simulated platform does with an account that has this token. */
export interface SimulatedBehavior {
  token: string
  /** A sentence for the page where access is given, without a full stop. */
  description: string
}

/** Something that a person enters to give access, where the platform has no page for that. Its name is that of a credential. */
export interface AccessField {
  name: string
  label: string
  secret: boolean
  optional?: boolean
  hint: string
}

/**
 * The way to social platforms. Each request rejects with a PlatformRefusedError when the platform says no, and with a
 * PlatformBusyError when it limits the rate; any other rejection means that the outcome is not known, and the same request is
 * sent again later. Jobs send requests, the page where a person allows access, and the deletion of a whole account.
 */
export interface SocialProvider {
  readonly name: string
  readonly platforms: readonly string[] | 'all'
  /** What it plays, by the token that an account is connected with; null for one that reaches platforms. */
  readonly simulation: readonly SimulatedBehavior[] | null
  /** The version that it asks for; absent where the platform ends none. */
  readonly apiVersion?: ApiVersion
  readonly authorization?: Authorization
  /** What a person may enter on our page instead to give access. */
  readonly entry?: readonly AccessField[]
  connect(request: Asked): Promise<Connection>
  /** New access for access that ends. Absent where access does not end by itself, or cannot be renewed. */
  renew?(request: Asked): Promise<Access>
  /** Whether credentials hold no access yet, so that they must be renewed before their first use. */
  needsRenewal?(credentials: Credentials): boolean
  /** Ends the access at the network. Absent where only the person can do that. */
  revoke?(request: Asked): Promise<void>
  publish(request: PublishRequest): Promise<Published>
  sync(request: SyncRequest): Promise<Snapshot>
  /** What is done with a comment; the platform's id of a new reply. */
  comment(request: CommentRequest): Promise<{ id: string | null }>
}

/** What whoever runs the service does until a platform is reached. */
export interface SetUp {
  /** Settings that it needs; none where SANDBOX_PROVIDERS alone is in the way. */
  settings: readonly string[]
  steps: readonly string[]
}

export interface Social {
  /** The one that connects further accounts, or null where the platform is not set up. A test account's is always simulated. */
  providerFor(account: { platform: string; test: boolean }): SocialProvider | null
  /** The one that a stored account names. Throws for a name that no adapter has. */
  named(name: string): SocialProvider
  /** The versions that platforms end some day, as this service asks for them. */
  readonly apiVersions: readonly { platform: string; version: string }[]
  /** How a platform is set up; null for one that this version cannot reach. */
  setUpOf(platform: string): SetUp | null
}

/** The path that a network sends people back to. It is registered there, after PUBLIC_URL. A network of many servers has one for each. */
export function callbackPath(platform: string, server?: string): string {
  return `/social/callback/${platform}${server === undefined ? '' : `/${server}`}`
}

/** The path of what a network reads of this service, after PUBLIC_URL. */
export function clientPath(platform: string): string {
  return `/social/clients/${platform}.json`
}

/** Where an adapter keeps how far a post is, without which it would begin again with every try. */
export function progressIn({ progress }: { progress?: Progress }): Progress {
  if (progress) return progress
  throw new Error('The request has no place for the progress of the post.')
}
