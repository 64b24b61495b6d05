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

/** What a post has had since it was published. */
export interface PostTotals {
  /** The platform's id. */
  post: string
  figures: Omit<Figures, 'followers' | 'followers_gained'>
}
