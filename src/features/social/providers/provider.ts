import type { Audience } from '../../../contract/values/post-audiences.ts'
import type { PostLimits } from './limits.ts'

/**
 * The state of a post that is being published, such as an upload URL or a container id, so that a later attempt can resume. It is
 * encrypted, and deleted once the post is published. After a refusal, an adapter keeps what a retry by a person can still use, or
 * clears the state.
 */
export interface Progress {
  /** The values last stored under the request's key; empty at first. */
  readonly known: Readonly<Record<string, string>>
  /** Replaces the stored values. Rejects if another attempt has taken over the post. */
  keep(values: Record<string, string>): Promise<void>
}

/**
 * The platform refused the request and would refuse it again. `expired` means that the platform no longer accepts the
 * credentials, so a person has to grant access again.
 */
export class PlatformRefusedError extends Error {
  readonly expired: boolean

  constructor(message: string, { expired = false } = {}) {
    super(message)
    this.expired = expired
  }
}

/**
 * An earlier request may have reached the platform, and the service cannot find out. It does not repeat the request
 * automatically; if a person does so after a check, that is a new request.
 */
export class OutcomeUnknownError extends PlatformRefusedError {}

/** The platform limits the rate and has done nothing. The same request is repeated once the limit allows another. */
export class PlatformBusyError extends Error {
  /** The end of the rate limit, in milliseconds since 1970. */
  readonly until: number

  constructor(message: string, until: number) {
    super(message)
    this.until = until
  }
}

/** The platform no longer supports this API version and has done nothing. The request waits until the service uses another. */
export class VersionEndedError extends PlatformBusyError {
  readonly version: string

  constructor(platform: string, version: string, until: number) {
    super(`${platform} no longer takes version ${version} of its API. Posts wait until the service is updated.`, until)
    this.version = version
  }
}

/** The counts that a platform has of a post, or of a whole account. */
export const COUNTS = ['impressions', 'reach', 'likes', 'comments', 'shares', 'clicks', 'saves'] as const
export type Counts = Record<(typeof COUNTS)[number], number>
export const NO_COUNTS = countsOf(() => 0)

export function countsOf(value: (name: keyof Counts) => number): Counts {
  return Object.fromEntries(COUNTS.map((name) => [name, value(name)])) as Counts
}

export function sumOf(all: readonly Counts[]): Counts {
  return countsOf((name) => all.reduce((sum, one) => sum + one[name], 0))
}

export interface Figures extends Counts {
  followers: number
  followers_gained: number
}

/** The figures of one day: of the post with this id on the platform, or of the whole account if `post` is null. */
export interface DayFigures {
  date: string
  post: string | null
  /** Figures that the platform does not report are left out and count as 0. */
  figures: Partial<Figures>
  /** Whether the platform did not report the followers of that day, so that `followers` is meaningless. */
  followersUnknown?: boolean
}

export interface PostTotals {
  post: string
  figures: Partial<Counts>
}

export type { PostLimits } from './limits.ts'

/** The names and secrets with which an adapter acts for an account. Only the adapter knows their meaning. */
export type Credentials = Record<string, string>

/** An account on a platform, in the form that adapters receive. */
export interface Login {
  platform: string
  id: string
  username: string | null
  credentials: Credentials
  test: boolean
  /** The public URL of this service without a trailing slash. */
  publicUrl: string
}

interface AccountRequest {
  login: Login
  signal: AbortSignal
}

export interface Profile {
  username: string
  /** Another username of the same account, under which an older version may have stored it. */
  otherUsername?: string
  displayName: string | null
  profileUrl: string | null
  avatarUrl: string | null
  followersCount: number | null
}

export interface Access {
  credentials: Credentials
  /** The time at which to refresh the access, ISO 8601 in UTC; null or absent if the access does not expire. */
  renewAt?: string | null
}

/** An account that was connected. Its credentials may differ from those that were entered. */
export interface Connection extends Access {
  profile: Profile
  /** The limits of the account's own server; null or absent if only the platform's limits are known. */
  limits?: PostLimits | null
}

/** The apps that are registered with servers, by server URL; stored encrypted. */
interface AppStore {
  find(server: string): Promise<Credentials | null>
  keep(server: string, app: Credentials): Promise<void>
}

interface Authorizing {
  platform: string
  /** The callback URL of the platform. An adapter may use a longer path below it for each server. */
  returnUrl: string
  signal: AbortSignal
}

export interface BeginRequest extends Authorizing {
  /** The value that identifies the authorization; the network returns it in the callback. */
  state: string
  entered: Credentials
  apps: AppStore
}

export interface FinishRequest extends Authorizing {
  kept: Credentials
  /** The query parameters of the callback. */
  query: Record<string, string>
}

/** An account that the person may connect, such as one of several pages. */
export interface Choice {
  profile: Profile
  credentials: Credentials
}

/** A sentence which says that the person declined, or the accounts that may be connected; the person chooses one of them. */
export type Finished = { declined: string } | { choices: Choice[] }

/** Authorization on the network's own page (OAuth 2). Both methods reject like those of a SocialProvider. */
export interface Authorization {
  /** The fields that a person fills in on a page of this service before the redirect, such as the server. */
  readonly asks: readonly AccessField[]
  /**
   * Returns the URL for the person and the state to store encrypted, such as the code verifier. The network redirects to
   * `redirect_uri` of that state, or to `returnUrl` if it has none.
   */
  begin(request: BeginRequest): Promise<{ url: string; kept: Credentials }>
  /** Exchanges the network's response for access. */
  finish(request: FinishRequest): Promise<Finished>
  /**
   * Returns the OAuth client metadata that the service publishes at `clientPath`. Throws a PlatformRefusedError if the network cannot
   * read the service's URL. The method is absent if settings hold a client id for the network.
   */
  document?(client: { publicUrl: string; platform: string }): object
}

/** A person's choices for one post on a platform that requires them. Absent interactions are not allowed. */
export interface PostOptions {
  privacy_level?: Audience | undefined
  allow_comments?: boolean | undefined
  allow_duets?: boolean | undefined
  allow_stitches?: boolean | undefined
  your_brand?: boolean | undefined
  /** Whether the post is a paid promotion of somebody else. */
  branded_content?: boolean | undefined
}

export interface PublishRequest extends AccountRequest {
  /** The idempotency key: requests with the same key are the same post. */
  key: string
  /** Whether an earlier request with this key may have reached the platform. If so, the adapter first looks for that request's post. */
  again: boolean
  /** This service's id of the post on this account. Adapters that show the posts themselves need it. */
  target: string
  text: string
  /** Pictures and videos in order. Anybody who knows the URL of one can fetch it. */
  media: PostedFile[]
  firstComment: string | null
  /**
   * The language of the text and first comment (BCP 47), as stated by the person. It is never guessed: a shop's country and
   * prices do not tell its language, and a post with a wrong language is hidden from people who could read it.
   */
  language?: string
  /** The person's choices for this platform; they include an audience if the platform requires one. */
  options?: PostOptions
  /** The stored state of the post. Every job passes it; adapters read it with `progressIn`. */
  progress?: Progress
}

export interface PostedFile {
  contentType: string
  size: number
  /** The duration of a video; absent if unknown. */
  durationMs?: number
  /** The displayed dimensions in pixels; absent if unknown. */
  sides?: { width: number; height: number }
  url: string
  alternativeText: string | null
}

export interface Published {
  id: string
  url: string | null
  /** The platform's id of the first comment; null if there is none. */
  firstCommentId: string | null
}

/** A post that was published through this service, with the platform's id. */
export interface KnownPost {
  id: string
  publishedAt: string
}

export interface SyncRequest extends AccountRequest {
  posts: KnownPost[]
  /** The first and last day to report on, as `2026-01-31`, in UTC. */
  from: string
  to: string
  /** The current time by the account's clock, ISO 8601 in UTC. */
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
  /** Whether the account itself wrote the comment, but not through this service. */
  own?: boolean
}

/** The state of an account on a platform. Comments are in chronological order, so parents come before their replies. */
export interface Snapshot {
  profile: Profile
  /** The limits of the account's own server, as in a Connection; absent if they were not requested. */
  limits?: PostLimits | null
  comments: ReceivedComment[]
  days: DayFigures[]
  /** Figures of a platform that only reports totals, in place of `days`: the increase since the last sync counts on the current day. */
  totals?: PostTotals[]
}

export type CommentAction = 'reply' | 'hide' | 'unhide' | 'like' | 'unlike' | 'delete'

export interface CommentRequest extends AccountRequest {
  /** The idempotency key: requests with the same key are the same request. */
  key: string
  action: CommentAction
  /** Whether an earlier request with this key may have reached the platform. */
  again: boolean
  comment: string
  content: string | null
}

/** A version of an API that the platform will retire some day. */
export interface ApiVersion {
  version: string
  setting: string
}

/** The behaviour of a simulated platform for accounts with a certain access token. */
export interface SimulatedBehavior {
  token: string
  /** A sentence without a full stop, for the page on which access is granted. */
  description: string
}

/** A field in which a person enters access data, if the platform has no authorization page. Its name is the key of a credential. */
export interface AccessField {
  name: string
  label: string
  secret: boolean
  optional?: boolean
  hint: string
}

/**
 * An adapter for social platforms. Each request rejects with a PlatformRefusedError if the platform refuses, and with a
 * PlatformBusyError if it limits the rate. Any other rejection means that the outcome is unknown, and the same request is
 * repeated later. Requests are sent by jobs, by the page where a person grants access, and by the deletion of an account.
 */
export interface SocialProvider {
  readonly name: string
  readonly platforms: readonly string[] | 'all'
  /** The simulated behaviours by token; null for a provider that reaches real platforms. */
  readonly simulation: readonly SimulatedBehavior[] | null
  /** The API version in use; absent if the platform does not retire versions. */
  readonly apiVersion?: ApiVersion
  readonly authorization?: Authorization
  /** The fields that a person may fill in on a page of this service instead of using OAuth. */
  readonly entry?: readonly AccessField[]
  connect(request: AccountRequest): Promise<Connection>
  /** Refreshes access. Absent if access does not expire or cannot be refreshed. */
  renew?(request: AccountRequest): Promise<Access>
  /** Returns whether credentials have no access token yet and must be refreshed before their first use. */
  needsRenewal?(credentials: Credentials): boolean
  /** Revokes the access at the network. Absent if only the person can do that. */
  revoke?(request: AccountRequest): Promise<void>
  publish(request: PublishRequest): Promise<Published>
  sync(request: SyncRequest): Promise<Snapshot>
  /** Carries out an action on a comment and returns the platform's id of a new reply. */
  comment(request: CommentRequest): Promise<{ id: string | null }>
}

export interface SetUp {
  /** The missing settings; empty if only SIMULATED_PROVIDERS prevents the use of the platform. */
  settings: readonly string[]
  steps: readonly string[]
}

export interface Social {
  /** Returns the provider for new accounts, which is simulated for test accounts; null if the platform is not set up. */
  providerFor(account: { platform: string; test: boolean }): SocialProvider | null
  /** Returns the provider of a stored account. Throws for an unknown name. */
  named(name: string): SocialProvider
  /** The API versions in use on platforms that retire versions. */
  readonly apiVersions: readonly { platform: string; version: string }[]
  /** Returns the steps to set up a platform; null if this version does not support the platform. */
  setUpOf(platform: string): SetUp | null
}

/** Returns the path of the callback URL, which has to be registered at the network. A network with many servers has one for each. */
export function callbackPath(platform: string, server?: string): string {
  return `/social/callback/${platform}${server === undefined ? '' : `/${server}`}`
}

/** Returns the path, below PUBLIC_URL, of the client document that a network reads. */
export function clientPath(platform: string): string {
  return `/social/clients/${platform}.json`
}

/** Returns the request's progress store. Throws if there is none, because every attempt would start over without it. */
export function progressIn({ progress }: { progress?: Progress }): Progress {
  if (progress) return progress
  throw new Error('The request has no place for the progress of the post.')
}

export interface SocialServices {
  /** Calls social platforms; only jobs, operations without a transaction and the page where a person grants access may do so. */
  social: Social
}
