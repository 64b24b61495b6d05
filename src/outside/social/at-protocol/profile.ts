import type { Profile } from '../provider.ts'
import type { Session } from './session.ts'

/** From the account's own server; figures that only an app view has are null where none answers. */
export async function profileOf(session: Session): Promise<Profile> {
  const { agent, did, handle } = session
  const seen = await agent.getProfile({ actor: did }).catch(() => null)
  return {
    username: handle,
    displayName: seen?.data.displayName || null,
    profileUrl: `https://bsky.app/profile/${handle}`,
    avatarUrl: seen?.data.avatar ?? null,
    followersCount: seen?.data.followersCount ?? null,
  }
}
