import { inOnePiece } from '../../contract/values/values.ts'
import type { Context } from '../../records/context.ts'
import type { AccountRow } from '../company/account/account.ts'
import { currentAccount } from '../company/account/current.ts'
import { addressOfHost } from './domain-names.ts'

/** Returns the URL of the account's shop without a trailing slash. */
export async function storefrontUrl(context: Context): Promise<string> {
  return storefrontOf(context, await currentAccount(context))
}

/** Works like `storefrontUrl` for an account whose row is already loaded. */
export function storefrontOf(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { subdomain, verified_storefront_domain: domain }: Pick<AccountRow, 'subdomain' | 'verified_storefront_domain'>,
): string {
  return domain === null ? inOnePiece(publicUrl, '/s/', subdomain) : addressOfHost({ publicUrl }, domain)
}
