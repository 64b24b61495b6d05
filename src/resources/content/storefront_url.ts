import { inOnePiece } from '../../contract/values/values.ts'
import type { Context } from '../../records/context.ts'
import { currentAccount } from '../company/account/current.ts'

/** Where visitors reach what the caller's shop publishes, without a slash at the end; it follows the account's subdomain. */
export async function storefrontUrl(context: Context): Promise<string> {
  return storefrontOf(context, await currentAccount(context))
}

/** As `storefrontUrl`, of an account that was read already. */
export function storefrontOf({ publicUrl }: Pick<Context, 'publicUrl'>, { subdomain }: { subdomain: string }): string {
  return inOnePiece(publicUrl, '/s/', subdomain)
}
