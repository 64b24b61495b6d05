/** What an adapter needs to act for an account: names and secret values that only the adapter reads. */
export type Credentials = Record<string, string>

/** An account on a platform, as its adapter is told of it. */
export interface Login {
  platform: string
  /** Our id of the account. */
  id: string
  username: string | null
  credentials: Credentials
  /** It belongs to a test account. */
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
  displayName: string | null
  profileUrl: string | null
  avatarUrl: string | null
  followersCount: number | null
}

/** An account that may be used from now on. The credentials to keep may be others than those that were given. */
export interface Connection {
  profile: Profile
  credentials: Credentials
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
  media: { contentType: string; url: string; alternativeText: string | null }[]
  firstComment: string | null
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
  /** The platform's id of the comment that it answers. */
  parent: string | null
  authorName: string
  authorUsername: string | null
  content: string
  likesCount: number
  /** The account wrote it itself, outside of this service. */
  own?: boolean
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
}

/** What a post has had since it was published. */
export interface PostTotals {
  /** The platform's id. */
  post: string
  figures: Omit<Figures, 'followers' | 'followers_gained'>
}

/** What a platform says of an account. Comments are in the order of their writing, parents before their answers. */
export interface Snapshot {
  profile: Profile
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
  /** The platform's id of the comment. */
  comment: string
  /** The words of a reply. */
  content: string | null
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

/** What a simulated platform does with an account that has this token. */
export interface SimulatedBehavior {
  token: string
  /** A sentence for the page where access is given, without a full stop. */
  description: string
}

interface FileSizes {
  image: number
  video: number
}

interface FileLimits {
  bluesky: FileSizes
  mastodon: FileSizes
  [platform: string]: FileSizes | undefined
}

/** Bytes of a picture and of a video, by the platforms whose limits are known. */
export const MOST_BYTES: Readonly<FileLimits> = {
  // Lexicons app.bsky.embed.images and app.bsky.embed.video.
  bluesky: { image: 2_000_000, video: 100_000_000 },
  // What most instances take.
  mastodon: { image: 16_000_000, video: 99_000_000 },
}

/** Something that a person enters to give access, where the platform has no page for that. Its name is that of a credential. */
export interface AccessField {
  name: string
  label: string
  secret: boolean
  /** It may be left blank. */
  optional?: boolean
  hint: string
}

/**
 * The way to social platforms. Each request rejects with a PlatformRefusedError when the platform says no; any other rejection
 * means that the outcome is not known, and the same request is sent again later. Only jobs send requests.
 */
export interface SocialProvider {
  /** Stored with each account. */
  readonly name: string
  /** Platforms that it posts to, by their names. */
  readonly platforms: readonly string[] | 'all'
  /** What it plays, by the token that an account is connected with; null for one that reaches platforms. */
  readonly simulation: readonly SimulatedBehavior[] | null
  /** What a person enters on our page to give access; absent where the platform asks on a page of its own. */
  readonly entry?: readonly AccessField[]
  /** Where a person allows access. Whatever the platform adds to `returnUrl` becomes the credentials that `connect` checks. */
  connectUrl(request: { platform: string; returnUrl: string }): string
  connect(request: Asked): Promise<Connection>
  publish(request: PublishRequest): Promise<Published>
  sync(request: SyncRequest): Promise<Snapshot>
  /** What is done with a comment; the platform's id of a new reply. */
  comment(request: CommentRequest): Promise<{ id: string | null }>
}

/** The adapters of this service. */
export interface Social {
  /** The one that connects further accounts, or null where the platform is not set up. A test account's is always simulated. */
  providerFor(account: { platform: string; test: boolean }): SocialProvider | null
  /** The one that a stored account names. Throws when it is not set up any more. */
  named(name: string): SocialProvider
}
