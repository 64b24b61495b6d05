import type { Shown } from '../../../resources/nouns.ts'

/** What the form holds: texts, and several values of a name. */
export interface Draft {
  content: string
  accounts: string[]
  media: string[]
  link_url: string
  first_comment: string
  scheduled_at: string
  /** Other words for single networks, by platform. */
  overrides: Record<string, string>
}

/** What a post can go to and show. */
export interface Networks {
  accounts: Shown<'social_account'>[]
  platforms: Shown<'social_platform'>[]
}
