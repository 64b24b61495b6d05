/** An authorization in progress: the person was redirected to the page of a network. */
export interface SocialAuthorizationRow {
  account_id: string
  id: string
  social_account: string
  platform: string
  /** A hash of the OAuth `state`, which the network returns. */
  state_hash: string
  /** A hash of the cookie of the browser that began the authorization. */
  browser_hash: string
  /** `choosing`: the person is back and chooses what to connect. */
  step: 'away' | 'choosing'
  /** JSON, encrypted: the state of the adapter, or the choices. */
  sealed: string
  created_at: string
  expires_at: string
}

/** An OAuth app that is registered with a server for this service. */
interface SocialAppRow {
  account_id: string
  server: string
  /** JSON, encrypted. */
  sealed: string
  expires_at: string
}

/** A comment that was deleted through this service. */
interface SocialCommentDeletionRow {
  account_id: string
  social_account: string
  platform_comment_id: string
}

/** The figures of a platform for one day: of one post, or of the account if `social_post` is empty. */
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
  /** 1, or 0 if the platform did not report the number of followers of that day. */
  followers_known: number
  followers_gained: number
}

/** A copy of a deleted post, which its simulated platform still shows. Its `id` is that of the delivery. */
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

/** The social tables that no noun declares. */
export interface SocialTables {
  sandbox_posts: SimulatedPostRow
  social_apps: SocialAppRow
  social_authorizations: SocialAuthorizationRow
  social_comment_deletions: SocialCommentDeletionRow
  social_figures: SocialFiguresRow
}
