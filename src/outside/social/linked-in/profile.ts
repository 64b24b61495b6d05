import type { Profile } from '../provider.ts'
import type { Api } from './api.ts'
import { UserInfo } from './shapes.ts'

/** Whom a token is for. LinkedIn tells apps neither the name in the address of a profile nor the number of followers. */
export async function profileOf(api: Api): Promise<Profile> {
  const { sub, name, picture } = (await api.call('/v2/userinfo', UserInfo)).body
  return {
    username: sub,
    displayName: name ?? null,
    profileUrl: null,
    avatarUrl: picture ?? null,
    followersCount: null,
  }
}
