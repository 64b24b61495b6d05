import { NETWORK_LIMITS } from '../../providers/limits.ts'
import type { PlatformName, Supports } from './social-platform.ts'

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

/** Returns the limits of a platform in the form that responses show. */
function shownLimits(platform: PlatformName) {
  const { characters, images, videos, videoSeconds } = NETWORK_LIMITS[platform]
  return { max_characters: characters, max_images: images, max_videos: videos, max_video_seconds: videoSeconds }
}

const EVERYTHING: Supports = {
  scheduling: true,
  first_comment: true,
  comments: true,
  hide_comments: true,
  delete_comments: true,
  likes: true,
  analytics: true,
}

const NO_COMMENTS = { comments: false, hide_comments: false, delete_comments: false, likes: false }

/** The features and limits that each platform offers to apps with ordinary accounts. */
export const PLATFORMS: readonly Platform[] = [
  {
    ...{ platform: 'x', name: 'X', required_media: 'none', ...shownLimits('x') },
    supports: { ...EVERYTHING, delete_comments: false },
  },
  {
    ...{ platform: 'instagram', name: 'Instagram', required_media: 'image_or_video', ...shownLimits('instagram') },
    supports: { ...EVERYTHING, likes: false },
  },
  {
    ...{ platform: 'facebook', name: 'Facebook', required_media: 'none', ...shownLimits('facebook') },
    supports: EVERYTHING,
  },
  {
    ...{ platform: 'linkedin', name: 'LinkedIn', required_media: 'none', ...shownLimits('linkedin') },
    supports: { ...EVERYTHING, hide_comments: false },
  },
  {
    ...{ platform: 'tiktok', name: 'TikTok', required_media: 'image_or_video', ...shownLimits('tiktok') },
    supports: { ...EVERYTHING, first_comment: false, ...NO_COMMENTS },
  },
  {
    ...{ platform: 'youtube', name: 'YouTube', required_media: 'video', ...shownLimits('youtube') },
    supports: { ...EVERYTHING, likes: false },
  },
  {
    ...{ platform: 'threads', name: 'Threads', required_media: 'none', ...shownLimits('threads') },
    supports: { ...EVERYTHING, delete_comments: false, likes: false },
  },
  {
    ...{ platform: 'pinterest', name: 'Pinterest', required_media: 'image_or_video', ...shownLimits('pinterest') },
    supports: { ...EVERYTHING, first_comment: false, ...NO_COMMENTS },
  },
  {
    ...{ platform: 'bluesky', name: 'Bluesky', required_media: 'none', ...shownLimits('bluesky') },
    supports: { ...EVERYTHING, delete_comments: false },
  },
  {
    ...{ platform: 'mastodon', name: 'Mastodon', required_media: 'none', ...shownLimits('mastodon') },
    supports: { ...EVERYTHING, hide_comments: false, delete_comments: false },
  },
]

const byName = new Map(PLATFORMS.map((platform) => [platform.platform, platform]))

export function platformOf(name: PlatformName): Platform {
  return byName.get(name)!
}
