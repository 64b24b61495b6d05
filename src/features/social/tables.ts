import type { Figures } from './providers/provider.ts'

/** An authorization in progress: the person was redirected to a page of the social network. */
export interface SocialAuthorizationRow {
  account_id: string
  id: string
  social_account: string
  platform: string
  /** A hash of the OAuth `state`, which the network sends back. */
  state_hash: string
  /** A hash of the cookie in the browser that began the authorization. */
  browser_hash: string
  /** `away`: the person is on the network's page. `choosing`: the person is back and chooses what to connect. */
  step: 'away' | 'choosing'
  /** Encrypted JSON: the state of the network's adapter, or the choices of the person. */
  sealed: string
  created_at: string
  expires_at: string
}

/** An OAuth app that this service has registered with a server of a network. */
interface SocialAppRow {
  account_id: string
  server: string
  /** Encrypted JSON: the credentials of the app. */
  sealed: string
  expires_at: string
}

/** A comment that was deleted through this service, so that it is not imported again. */
interface SocialCommentDeletionRow {
  account_id: string
  social_account: string
  platform_comment_id: string
}

/** The statistics of a platform for one day: of one post, or of the whole account if `social_post` is empty. */
interface SocialFiguresRow extends Figures {
  account_id: string
  social_account: string
  social_post: string
  /** The day in UTC, such as `2026-01-31`. */
  date: string
  /** 1 if the platform has reported the number of followers on that day, 0 otherwise. */
  followers_known: number
}

/** A copy of a deleted post that its simulated platform still shows. Its `id` is that of the post's delivery. */
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

/** The tables for social networks that no noun declares. */
export interface SocialTables {
  sandbox_posts: SimulatedPostRow
  social_apps: SocialAppRow
  social_authorizations: SocialAuthorizationRow
  social_comment_deletions: SocialCommentDeletionRow
  social_figures: SocialFiguresRow
}
