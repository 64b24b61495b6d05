import type { Profile } from '../provider.ts'
import type { Session } from './session.ts'

/** Reads the profile through the account's own server. Without a response, the name, picture and number of followers are null. */
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
