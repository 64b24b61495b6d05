import { inOnePiece } from '../../contract/values/values.ts'
import type { Context } from '../../records/context.ts'
import type { AccountRow } from '../company/account/account.ts'
import { currentAccount } from '../company/account/current.ts'
import { addressOfHost } from './ai_site/address.ts'

/** Where visitors reach what the caller's shop publishes, without a slash at the end; it follows the account's domain and subdomain. */
export async function storefrontUrl(context: Context): Promise<string> {
  return storefrontOf(context, await currentAccount(context))
}

/** As `storefrontUrl`, of an account that was read already. */
export function storefrontOf(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { subdomain, verified_storefront_domain: domain }: Pick<AccountRow, 'subdomain' | 'verified_storefront_domain'>,
): string {
  return domain === null ? inOnePiece(publicUrl, '/s/', subdomain) : addressOfHost({ publicUrl }, domain)
}
