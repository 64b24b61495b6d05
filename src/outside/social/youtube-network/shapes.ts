import { z } from 'zod'

/** What of the answers is used (developers.google.com/youtube/v3/docs). Counts are written as text. */
const count = z.coerce.number()

export const Refusal = z.object({
  error: z.object({
    message: z.string(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
})

export const Channels = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z.object({
          title: z.string(),
          customUrl: z.string().optional(),
          thumbnails: z.object({ default: z.object({ url: z.string() }).optional() }).optional(),
        }),
        statistics: z.object({ subscriberCount: count.optional(), hiddenSubscriberCount: z.boolean().optional() }),
        status: z.object({ longUploadsStatus: z.string().optional() }).optional(),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
      }),
    )
    .default([]),
})
export type Channel = z.output<typeof Channels>['items'][number]

export const Uploaded = z.object({ id: z.string() })

export const Videos = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      status: z
        .object({
          uploadStatus: z.string(),
          privacyStatus: z.string(),
          failureReason: z.string().optional(),
          rejectionReason: z.string().optional(),
        })
        .optional(),
      statistics: z
        .object({ viewCount: count.default(0), likeCount: count.default(0), commentCount: count.default(0) })
        .optional(),
    }),
  ),
})

export const PlaylistItems = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ title: z.string(), description: z.string(), publishedAt: z.string() }),
      contentDetails: z.object({ videoId: z.string() }),
    }),
  ),
})

export const CommentShape = z.object({
  id: z.string(),
  snippet: z.object({
    textDisplay: z.string(),
    textOriginal: z.string().optional(),
    authorDisplayName: z.string().default(''),
    authorChannelId: z.object({ value: z.string() }).optional(),
    likeCount: z.number().default(0),
    parentId: z.string().optional(),
    publishedAt: z.string(),
  }),
})
export type Comment = z.output<typeof CommentShape>
export const Comments = z.object({ items: z.array(CommentShape) })

export const Threads = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      snippet: z.object({ topLevelComment: CommentShape, totalReplyCount: z.number().default(0) }),
      replies: z.object({ comments: z.array(CommentShape) }).optional(),
    }),
  ),
})

export const Anything = z.object({})
