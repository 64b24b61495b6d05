import type { Shown } from '../../../../resources/nouns.ts'
import type { PostOptions } from '../../providers/provider.ts'

/** The chosen options of a post, and whether the person discloses a promotion. */
export type ChosenOptions = PostOptions & { discloses?: boolean }

/** The values of the form for a post. */
export interface Draft {
  content: string
  accounts: string[]
  media: string[]
  link_url: string
  first_comment: string
  language: string
  scheduled_at: string
  /** The texts for single networks by platform, which replace the post's text there. */
  overrides: Record<string, string>
  options: ChosenOptions
}

export interface Networks {
  accounts: Shown<'social_account'>[]
  platforms: Shown<'social_platform'>[]
}
