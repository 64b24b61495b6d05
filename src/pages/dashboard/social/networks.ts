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
  accounts: { id: string; platform: string; username: string | null; label: string | null; status: string }[]
  platforms: { platform: string; name: string; max_characters: number; required_media: string }[]
}
