import { z } from 'zod'

/** What of the answers is used (docs.joinmastodon.org, Entities). */
export const Account = z.object({
  id: z.string(),
  username: z.string(),
  acct: z.string(),
  display_name: z.string(),
  url: z.string(),
  avatar: z.string().nullish(),
  followers_count: z.number(),
})

export const Status = z.object({
  id: z.string(),
  url: z.string().nullish(),
  created_at: z.string(),
  content: z.string(),
  in_reply_to_id: z.string().nullish(),
  account: Account,
  favourites_count: z.number(),
  reblogs_count: z.number(),
  replies_count: z.number(),
})
export type Status = z.output<typeof Status>

export const Context = z.object({ descendants: z.array(Status) })

/** `url` is null while the instance still works on it. */
export const Media = z.object({ id: z.string(), url: z.string().nullable() })
