import { PlatformRefusedError, type PostLimits, type Profile } from '../provider.ts'
import type { Api } from './api.ts'
import { CreatorInfo, UserInfo } from './shapes.ts'

const FIELDS = 'open_id,display_name,username,avatar_url,profile_deep_link,follower_count'

export async function profileOf(api: Api): Promise<Profile> {
  const { user } = await api.get(`/user/info/?fields=${FIELDS}`, UserInfo)
  return {
    username: user.username,
    displayName: user.display_name || null,
    profileUrl: user.profile_deep_link ?? `https://www.tiktok.com/@${user.username}`,
    avatarUrl: user.avatar_url ?? null,
    followersCount: user.follower_count ?? null,
  }
}

/** What TikTok lets this account post now. */
export function creatorOf(api: Api): Promise<CreatorInfo> {
  return api.post('/post/publish/creator_info/query/', CreatorInfo, {})
}

/** The longest film differs from account to account. Undefined where TikTok does not say, as for an account that may not post now. */
export async function limitsOf(api: Api): Promise<PostLimits | undefined> {
  try {
    const { max_video_post_duration_sec: videoSeconds } = await creatorOf(api)
    return videoSeconds === undefined ? undefined : { videoSeconds }
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return undefined
    throw error
  }
}
