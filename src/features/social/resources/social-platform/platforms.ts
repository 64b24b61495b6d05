import { NETWORK_LIMITS } from '../../providers/limits.ts'
import { EVERYTHING, type Platform, type PlatformName, type Supports } from './social-platform.ts'

/** Returns the limits of a platform in the form that responses show. */
function shownLimits(platform: PlatformName) {
  const { characters, images, videos, videoSeconds } = NETWORK_LIMITS[platform]
  return { max_characters: characters, max_images: images, max_videos: videos, max_video_seconds: videoSeconds }
}

const NO_COMMENTS = { comments: false, hide_comments: false, delete_comments: false, likes: false }

/** The features and limits that a platform offers to apps with ordinary accounts. */
function platform(
  platform: PlatformName,
  name: string,
  required_media: Platform['required_media'],
  lacks: Partial<Supports> = {},
): Platform {
  return { platform, name, required_media, ...shownLimits(platform), supports: { ...EVERYTHING, ...lacks } }
}

export const PLATFORMS: readonly Platform[] = [
  platform('x', 'X', 'none', { delete_comments: false }),
  platform('instagram', 'Instagram', 'image_or_video', { likes: false }),
  platform('facebook', 'Facebook', 'none'),
  platform('linkedin', 'LinkedIn', 'none', { hide_comments: false }),
  platform('tiktok', 'TikTok', 'image_or_video', { first_comment: false, ...NO_COMMENTS }),
  platform('youtube', 'YouTube', 'video', { likes: false }),
  platform('threads', 'Threads', 'none', { delete_comments: false, likes: false }),
  platform('pinterest', 'Pinterest', 'image_or_video', { first_comment: false, ...NO_COMMENTS }),
  platform('bluesky', 'Bluesky', 'none', { delete_comments: false }),
  platform('mastodon', 'Mastodon', 'none', { hide_comments: false, delete_comments: false }),
]

const byName = new Map(PLATFORMS.map((platform) => [platform.platform, platform]))

export function platformOf(name: PlatformName): Platform {
  return byName.get(name)!
}
