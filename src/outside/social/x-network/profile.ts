import type { PostLimits, Profile } from '../provider.ts'
import type { Api } from './api.ts'
import { Me } from './shapes.ts'

const FIELDS = 'name,username,profile_image_url,public_metrics,subscription_type'
/** Those who pay for X may write longer posts. */
const LONG_POSTS = 25_000
const PAYING = ['Basic', 'Premium', 'PremiumPlus']

/** Whom a token is for. */
export async function profileOf(api: Api): Promise<{ id: string; profile: Profile; limits: PostLimits | null }> {
  const { data } = await api.call(`/users/me?user.fields=${FIELDS}`, Me)
  const { id, username, name, profile_image_url, public_metrics, subscription_type = '' } = data
  return {
    id,
    profile: {
      username,
      displayName: name,
      profileUrl: `https://x.com/${username}`,
      avatarUrl: profile_image_url ?? null,
      followersCount: public_metrics?.followers_count ?? null,
    },
    limits: PAYING.includes(subscription_type) ? { characters: LONG_POSTS } : null,
  }
}
