import { z } from 'zod'
import { integer, oneOf, structure, text } from '../../../../contract/declarations/kinds.ts'
import { type AnswerOf, answerNoun } from '../../../../contract/declarations/noun.ts'
import { keysOf } from '../../../../contract/values/keys.ts'

export const PLATFORM_NAMES = [
  'x',
  'instagram',
  'facebook',
  'linkedin',
  'tiktok',
  'youtube',
  'threads',
  'pinterest',
  'bluesky',
  'mastodon',
] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

const Supports = z.object({
  scheduling: z.boolean().describe('Posts can be scheduled'),
  first_comment: z.boolean().describe('A post can include its own first comment'),
  comments: z.boolean().describe('Comments can be read and answered'),
  hide_comments: z.boolean().describe('Comments can be hidden'),
  delete_comments: z.boolean().describe('Comments by others can be deleted'),
  likes: z.boolean().describe('Comments can be liked'),
  analytics: z.boolean().describe('Analytics are available'),
})
export type Supports = z.infer<typeof Supports>

export const EVERYTHING = Supports.parse(Object.fromEntries(keysOf(Supports.shape).map((name) => [name, true])))

export const SocialPlatform = answerNoun('social_platform', {
  group: 'SocialAccounts',
  area: 'content',
  description: 'A social network that the shop can post to, with its limits for posts.',
  gist: 'limits of networks',
  listOrder: 'in a fixed order',
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Name to use in requests'),
    name: text('Display name', { example: 'X' }),
    max_characters: integer('Maximum text length of a post, as the network counts it', {
      min: 1,
      unit: 'characters',
      example: 280,
    }),
    max_images: integer('Number of images allowed per post', { min: 0, example: 4 }),
    max_videos: integer('Number of videos allowed per post', { min: 0, example: 1 }),
    max_video_seconds: integer('Maximum video length of a post', { min: 0, unit: 'seconds', example: 140 }),
    required_media: oneOf(['none', 'image_or_video', 'video'], 'Media required in every post'),
    supports: structure('object', Supports, 'Supported features', EVERYTHING),
  },
})

export type Platform = AnswerOf<typeof SocialPlatform>
