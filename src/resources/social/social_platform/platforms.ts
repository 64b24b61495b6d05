import type { PlatformName, Supports } from './social_platform.ts'

export interface Platform {
  platform: PlatformName
  name: string
  max_characters: number
  max_images: number
  max_videos: number
  max_video_seconds: number
  required_media: 'none' | 'image_or_video' | 'video'
  supports: Supports
}

const EVERYTHING: Supports = {
  scheduling: true,
  first_comment: true,
  comments: true,
  hide_comments: true,
  likes: true,
  analytics: true,
}

/** Limits of what the platforms take from apps, for ordinary accounts. */
export const PLATFORMS: readonly Platform[] = [
  {
    ...{ platform: 'x', name: 'X', max_characters: 280 },
    ...{ max_images: 4, max_videos: 1, max_video_seconds: 140, required_media: 'none' },
    supports: EVERYTHING,
  },
  {
    ...{ platform: 'instagram', name: 'Instagram', max_characters: 2200 },
    ...{ max_images: 10, max_videos: 1, max_video_seconds: 900, required_media: 'image_or_video' },
    supports: { ...EVERYTHING, likes: false },
  },
  {
    ...{ platform: 'facebook', name: 'Facebook', max_characters: 63_206 },
    ...{ max_images: 10, max_videos: 1, max_video_seconds: 14_400, required_media: 'none' },
    supports: EVERYTHING,
  },
  {
    ...{ platform: 'linkedin', name: 'LinkedIn', max_characters: 3000 },
    ...{ max_images: 20, max_videos: 1, max_video_seconds: 900, required_media: 'none' },
    supports: { ...EVERYTHING, hide_comments: false },
  },
  {
    ...{ platform: 'tiktok', name: 'TikTok', max_characters: 2200 },
    ...{ max_images: 35, max_videos: 1, max_video_seconds: 600, required_media: 'image_or_video' },
    supports: { ...EVERYTHING, first_comment: false },
  },
  {
    ...{ platform: 'youtube', name: 'YouTube', max_characters: 5000 },
    ...{ max_images: 0, max_videos: 1, max_video_seconds: 43_200, required_media: 'video' },
    supports: { ...EVERYTHING, likes: false },
  },
  {
    ...{ platform: 'threads', name: 'Threads', max_characters: 500 },
    ...{ max_images: 20, max_videos: 1, max_video_seconds: 300, required_media: 'none' },
    supports: { ...EVERYTHING, likes: false },
  },
  {
    ...{ platform: 'pinterest', name: 'Pinterest', max_characters: 800 },
    ...{ max_images: 5, max_videos: 1, max_video_seconds: 900, required_media: 'image_or_video' },
    supports: { ...EVERYTHING, first_comment: false, comments: false, hide_comments: false, likes: false },
  },
  {
    ...{ platform: 'bluesky', name: 'Bluesky', max_characters: 300 },
    ...{ max_images: 4, max_videos: 1, max_video_seconds: 180, required_media: 'none' },
    supports: EVERYTHING,
  },
  {
    ...{ platform: 'mastodon', name: 'Mastodon', max_characters: 500 },
    ...{ max_images: 4, max_videos: 1, max_video_seconds: 600, required_media: 'none' },
    supports: { ...EVERYTHING, hide_comments: false, analytics: false },
  },
]

const byName = new Map(PLATFORMS.map((platform) => [platform.platform, platform]))

export function platformOf(name: PlatformName): Platform {
  return byName.get(name)!
}
