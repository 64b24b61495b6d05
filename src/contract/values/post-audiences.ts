/** Audiences from widest to narrowest (developers.tiktok.com, Content Posting API, Direct Post). */
export const AUDIENCES = ['PUBLIC_TO_EVERYONE', 'FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] as const
export type Audience = (typeof AUDIENCES)[number]

export const INTERACTIONS = ['allow_comments', 'allow_duets', 'allow_stitches'] as const
export type Interaction = (typeof INTERACTIONS)[number]
