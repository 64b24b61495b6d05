import type { PostOptions } from '../../../outside/social/provider.ts'
import type { Shown } from '../../../resources/nouns.ts'

/** The options that a person has chosen, and whether they disclose that the post promotes something. */
export type ChosenOptions = PostOptions & { discloses?: boolean }

/** What the form holds: texts, and several values of a name. */
export interface Draft {
  content: string
  accounts: string[]
  media: string[]
  link_url: string
  first_comment: string
  language: string
  scheduled_at: string
  /** Other words for single networks, by platform. */
  overrides: Record<string, string>
  options: ChosenOptions
}

export interface Networks {
  accounts: Shown<'social_account'>[]
  platforms: Shown<'social_platform'>[]
}
