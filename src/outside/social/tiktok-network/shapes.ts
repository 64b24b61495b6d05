import { z } from 'zod'

/** Every answer has both (developers.tiktok.com, Error handling). */
export const Wrapped = z.object({
  error: z.object({ code: z.string(), message: z.string().default('') }),
  data: z.unknown().optional(),
})

export const UserInfo = z.object({
  user: z.object({
    open_id: z.string(),
    display_name: z.string().default(''),
    username: z.string(),
    avatar_url: z.string().optional(),
    profile_deep_link: z.string().optional(),
    follower_count: z.number().optional(),
  }),
})

export const CreatorInfo = z.object({
  creator_username: z.string(),
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.boolean().default(false),
  duet_disabled: z.boolean().default(false),
  stitch_disabled: z.boolean().default(false),
  max_video_post_duration_sec: z.number().optional(),
})
export type CreatorInfo = z.output<typeof CreatorInfo>

export const Begun = z.object({ publish_id: z.string(), upload_url: z.string().optional() })

/** Ids are larger than a number of JavaScript can be, so they are kept as they are written. */
export const PostStatus = z.object({
  status: z.string(),
  fail_reason: z.string().optional(),
  publicaly_available_post_id: z.array(z.string()).nullish(),
  uploaded_bytes: z.number().optional(),
})
export type PostStatus = z.output<typeof PostStatus>

export const Videos = z.object({
  videos: z.array(
    z.object({
      id: z.string(),
      view_count: z.number().default(0),
      like_count: z.number().default(0),
      comment_count: z.number().default(0),
      share_count: z.number().default(0),
    }),
  ),
})
