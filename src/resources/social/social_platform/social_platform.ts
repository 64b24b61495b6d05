import { z } from 'zod'
import { integer, oneOf, structure, text } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

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
  first_comment: z.boolean().describe('A post can bring its own first comment'),
  comments: z.boolean().describe('Comments can be read and answered'),
  hide_comments: z.boolean().describe('Comments can be hidden'),
  likes: z.boolean().describe('Comments can be liked'),
  analytics: z.boolean().describe('Figures are reported'),
})
export type Supports = z.infer<typeof Supports>

export const SocialPlatform = answerNoun('social_platform', {
  group: 'SocialAccounts',
  description: 'A social network that the shop can post to, with the limits that posts there have.',
  listOrder: 'in a fixed order',
  fields: {
    platform: oneOf(PLATFORM_NAMES, 'Name in requests'),
    name: text('Name that people know', { example: 'X' }),
    max_characters: integer('Longest text of a post', { min: 1, unit: 'characters', example: 280 }),
    max_images: integer('Number of images that a post can have', { min: 0, example: 4 }),
    max_videos: integer('Number of videos that a post can have', { min: 0, example: 1 }),
    max_video_seconds: integer('Longest video of a post', { min: 0, unit: 'seconds', example: 140 }),
    required_media: oneOf(['none', 'image_or_video', 'video'], 'Media that every post there needs'),
    supports: structure('object', Supports, 'Features that the platform has', {
      scheduling: true,
      first_comment: true,
      comments: true,
      hide_comments: true,
      likes: true,
      analytics: true,
    }),
  },
})
