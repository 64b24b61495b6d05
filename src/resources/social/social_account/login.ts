import type { Login } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { credentialsOf } from './credentials.ts'
import type { SocialAccountRow } from './social_account.ts'

type Known = Pick<SocialAccountRow, 'platform' | 'id' | 'username' | 'offered_credentials' | 'sealed_credentials'>

type Place = Pick<Context, 'services' | 'publicUrl' | 'test'>

/** An account as its adapter is told of it. */
export function loginOf({ services, publicUrl, test }: Place, account: Known): Login {
  const { platform, id, username } = account
  return { platform, id, username, publicUrl, test, credentials: credentialsOf(services.vault, account) }
}
