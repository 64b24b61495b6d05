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

/** Left out where it is no number of pixels. */
const Pixels = z.int().positive().optional().catch(undefined)

/** The limits of a server; each of them may be missing in older versions. */
export const Instance = z.object({
  /** Of handles; `uri` in older versions. */
  domain: z.string().optional(),
  uri: z.string().optional(),
  configuration: z
    .object({
      statuses: z
        .object({
          max_characters: z.number(),
          max_media_attachments: z.number(),
          characters_reserved_per_url: z.number(),
        })
        .partial(),
      media_attachments: z
        .object({
          supported_mime_types: z.array(z.string()),
          image_size_limit: z.number(),
          video_size_limit: z.number(),
          image_matrix_limit: Pixels,
          video_matrix_limit: Pixels,
        })
        .partial(),
    })
    .partial()
    .optional(),
})
export type Instance = z.output<typeof Instance>
