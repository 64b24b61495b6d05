/** A person on the way to a network's own page and back. */
export interface SocialAuthorizationRow {
  account_id: string
  id: string
  social_account: string
  platform: string
  /** Of the secret that the network repeats. */
  state_hash: string
  /** Of the cookie of the browser that set out. */
  browser_hash: string
  /** `choosing`: the person is back, and chooses what to connect. */
  step: 'away' | 'choosing'
  /** JSON, encrypted: what the adapter keeps meanwhile, or what may be chosen. */
  sealed: string
  created_at: string
  expires_at: string
}

/** An app that a server has registered for this service. */
interface SocialAppRow {
  account_id: string
  server: string
  /** JSON, encrypted. */
  sealed: string
  expires_at: string
}

/** A comment that was deleted here, by the platform's id. */
interface SocialCommentDeletionRow {
  account_id: string
  social_account: string
  platform_comment_id: string
}

/** What a platform reported of a day: of an account, where `social_post` is empty, or of one post there. */
interface SocialFiguresRow {
  account_id: string
  social_account: string
  social_post: string
  /** `2026-01-31`, in UTC. */
  date: string
  impressions: number
  reach: number
  likes: number
  comments: number
  shares: number
  clicks: number
  saves: number
  followers: number
  /** 1, or 0 where the platform did not say how many followers there were that day. */
  followers_known: number
  followers_gained: number
}

/** What a simulated platform goes on showing of a post that was deleted here, by the id of its delivery. */
export interface SimulatedPostRow {
  account_id: string
  id: string
  social_account: string
  platform: string
  content: string
  media_count: number
  first_comment: string | null
  published_at: string
}

/** Rows of the social part that no noun declares. */
export interface SocialTables {
  sandbox_posts: SimulatedPostRow
  social_apps: SocialAppRow
  social_authorizations: SocialAuthorizationRow
  social_comment_deletions: SocialCommentDeletionRow
  social_figures: SocialFiguresRow
}
