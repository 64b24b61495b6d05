import { AUDIENCES, type Audience, INTERACTIONS, type Interaction } from '../../../contract/values/post-audiences.ts'
import type { PostLimits } from '../limits.ts'
import type { NetworkParts } from '../network.ts'
import { PlatformRefusedError, type Profile } from '../provider.ts'
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

/** True once TikTok has audited the operator's app. */
export function isAudited({ settings }: Pick<NetworkParts, 'settings'>): boolean {
  return settings.TIKTOK_AUDITED === 'true'
}

/** An app that TikTok has not audited may post only what its author sees (Content Sharing Guidelines). */
export function audiencesOf({ privacy_level_options: offered }: CreatorInfo, isAudited: boolean): Audience[] {
  return AUDIENCES.filter((one) => offered.includes(one) && (isAudited || one === 'SELF_ONLY'))
}

/** They differ from account to account. Undefined where TikTok does not say, as for an account that may not post now. */
export async function limitsOf(api: Api, isAudited: boolean): Promise<PostLimits | undefined> {
  try {
    const creator = await creatorOf(api)
    const { max_video_post_duration_sec: videoSeconds } = creator
    return {
      ...(videoSeconds !== undefined && { videoSeconds }),
      ...{ audiences: audiencesOf(creator, isAudited), switchedOff: switchedOffBy(creator) },
    }
  } catch (error) {
    if (error instanceof PlatformRefusedError && !error.expired) return undefined
    throw error
  }
}

function switchedOffBy({ comment_disabled, duet_disabled, stitch_disabled }: CreatorInfo): Interaction[] {
  const off = { allow_comments: comment_disabled, allow_duets: duet_disabled, allow_stitches: stitch_disabled }
  return INTERACTIONS.filter((one) => off[one])
}
