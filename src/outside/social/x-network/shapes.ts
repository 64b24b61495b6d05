import { z } from 'zod'

/** What of the answers of the API is used (docs.x.com, X API v2). */
const User = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  profile_image_url: z.string().optional(),
  public_metrics: z.object({ followers_count: z.number() }).optional(),
  subscription_type: z.string().optional(),
})
export const Me = z.object({ data: User })

const Metrics = z.object({
  like_count: z.number(),
  reply_count: z.number(),
  retweet_count: z.number(),
  quote_count: z.number(),
  bookmark_count: z.number().optional(),
  impression_count: z.number().optional(),
})

const Link = z.object({ url: z.string(), expanded_url: z.string(), media_key: z.string().optional() })

const Post = z.object({
  id: z.string(),
  text: z.string(),
  /** The whole text of a long post. */
  note_tweet: z.object({ text: z.string() }).optional(),
  author_id: z.string().optional(),
  created_at: z.string().optional(),
  conversation_id: z.string().optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id: z.string() })).optional(),
  entities: z.object({ urls: z.array(Link).optional() }).optional(),
  public_metrics: Metrics.optional(),
})
export type Post = z.output<typeof Post>

/** A list leaves `data` out where it is empty. */
export const Posts = z.object({
  data: z.array(Post).default([]),
  includes: z.object({ users: z.array(User).default([]) }).optional(),
})
export type Posts = z.output<typeof Posts>

export const Created = z.object({ data: z.object({ id: z.string() }) })

const Processing = z.object({
  state: z.enum(['pending', 'in_progress', 'succeeded', 'failed']),
  check_after_secs: z.number().optional(),
  error: z.object({ message: z.string() }).optional(),
})
export const Upload = z.object({ data: z.object({ id: z.string(), processing_info: Processing.optional() }) })
export type Upload = z.output<typeof Upload>

/** Whatever it says, only that it succeeded is of interest. */
export const Anything = z.unknown()

export const Refusal = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional(), detail: z.string().optional() })).optional(),
})
