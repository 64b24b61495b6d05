import { z } from 'zod'

/** What of the answers of the API is used (learn.microsoft.com/linkedin). */
export const UserInfo = z.object({
  sub: z.string(),
  name: z.string().optional(),
  picture: z.string().optional(),
})

export const ImageUpload = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) })

const Instruction = z.object({ uploadUrl: z.string(), firstByte: z.number(), lastByte: z.number() })
export const VideoUpload = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.string().default(''),
    uploadInstructions: z.array(Instruction).min(1),
  }),
})

export const Video = z.object({ status: z.string(), processingFailureReason: z.string().optional() })

const Post = z.object({ id: z.string(), commentary: z.string().default(''), createdAt: z.number().default(0) })
export const Posts = z.object({ elements: z.array(Post) })

const Comment = z.object({
  id: z.string(),
  commentUrn: z.string().optional(),
  object: z.string().optional(),
  actor: z.string(),
  parentComment: z.string().optional(),
  message: z.object({ text: z.string().default('') }),
  likesSummary: z.object({ totalLikes: z.number().default(0) }).optional(),
})
export type Comment = z.output<typeof Comment>
export const Comments = z.object({ elements: z.array(Comment) })

export const CreatedComment = Comment.pick({ id: true, commentUrn: true, object: true })

const Counted = z.object({ count: z.number().default(0) })
export const Metadata = z.object({
  reactionSummaries: z.record(z.string(), Counted).default({}),
  commentSummary: Counted.optional(),
})

/** Whatever it says, only that it succeeded is of interest. */
export const Anything = z.unknown()

export const Refusal = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string().optional() })).default([]) })
    .partial()
    .optional(),
})
