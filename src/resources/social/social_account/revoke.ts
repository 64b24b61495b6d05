import { PlatformRefusedError } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { loginOf } from './login.ts'
import type { SocialAccountRow } from './social_account.ts'

interface Ended extends Pick<SocialAccountRow, 'id' | 'platform' | 'username'> {
  provider: string
  /** Encrypted: the account is gone, and its access with it as soon as the job is done. */
  sealed: string
}

/** Ends the access to an account that is disconnected, at its network. What the network says no to has ended already. */
export const revokeAccess = job<Ended>('social_account.revoke', {
  async work(place, { provider: name, sealed, ...ended }) {
    const known = { ...ended, offered_credentials: null, sealed_credentials: sealed }
    const login = await place.read(async (context) => loginOf(context, known))
    const { services, signal } = place
    try {
      await services.social.named(name).revoke?.({ login, signal })
    } catch (error) {
      if (!(error instanceof PlatformRefusedError)) throw error
    }
  },
})

/** Has the access to an account ended at its network, after the commit, where the network allows that. */
export async function endAccess(context: Context, account: SocialAccountRow): Promise<void> {
  const { id, platform, username, provider, sealed_credentials: sealed } = account
  if (sealed === null || !context.services.social.named(provider).revoke) return
  await context.enqueue(revokeAccess, { id, platform, username, provider, sealed })
}
