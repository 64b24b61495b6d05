import type { Context } from '../../../../records/context.ts'
import { findRow } from '../../../../records/records.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { Account } from '../../../company/account/account.ts'
import { isOnlyLiveAccount } from '../../../company/account/life/list.ts'

/**
 * Whether new payments of a live account go by the service's own keys, whose money is the operator's: for the account that the
 * settings name, or the only live account, and for one that has charged through them before.
 */
export async function usesServiceKeys(context: Pick<Context, 'db' | 'accountId' | 'services'>): Promise<boolean> {
  const { operatorAccount } = context.services
  if (!hasServiceKeys(context)) return false
  if (operatorAccount === context.accountId || (await hasCharged(context))) return true
  return operatorAccount === null && (await isOnlyLiveAccount(context))
}

export function hasServiceKeys({ services: { payments } }: Pick<Context, 'services'>): boolean {
  return payments.providerFor({ test: false }).name !== payments.test.name
}

/** Notes that the account charges through the service's own keys, so that it keeps them when other accounts are opened. */
export async function noteServiceCharge(context: Context): Promise<void> {
  if (!(await hasCharged(context))) await updateRowsOf(context, 'accounts').set({ charges_by_service: 1 }).execute()
}

/** Notes that the account has connected a provider of its own. */
export async function forgetServiceCharges(context: Context): Promise<void> {
  if (await hasCharged(context)) await updateRowsOf(context, 'accounts').set({ charges_by_service: 0 }).execute()
}

async function hasCharged(context: Pick<Context, 'db' | 'accountId'>): Promise<boolean> {
  return (await findRow(context, Account, context.accountId))?.charges_by_service ?? false
}
