import { z } from 'zod'

/** What of the answers is used (developers.pinterest.com/docs/api/v5). */
export const Refusal = z.object({ code: z.number().optional(), message: z.string() })

export const User = z.object({
  username: z.string(),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
  follower_count: z.number().nullish(),
})
export type User = z.output<typeof User>

export const Board = z.object({ id: z.string(), name: z.string() })
export type Board = z.output<typeof Board>
export const Boards = z.object({ items: z.array(Board), bookmark: z.string().nullish() })

export const Pin = z.object({
  id: z.string(),
  created_at: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
})
export const Pins = z.object({ items: z.array(Pin) })

export const Registered = z.object({
  media_id: z.string(),
  upload_url: z.string(),
  upload_parameters: z.record(z.string(), z.string()),
})
export const Media = z.object({ status: z.enum(['registered', 'processing', 'succeeded', 'failed']) })

export const Analytics = z.object({
  all: z.object({
    daily_metrics: z
      .array(
        z.object({
          date: z.string(),
          data_status: z.string(),
          metrics: z.record(z.string(), z.number().nullable()).default({}),
        }),
      )
      .default([]),
  }),
})
