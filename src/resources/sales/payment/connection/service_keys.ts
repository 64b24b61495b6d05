import type { Context } from '../../../../records/context.ts'
import { readOnce } from '../../../../records/read-once.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../company/account/current.ts'

/**
 * Whether new payments of a live account go by the service's own keys, whose money is the operator's: for the account that the
 * settings name, or the only live account, and for one that has charged through them before.
 */
export async function usesServiceKeys(context: Context): Promise<boolean> {
  const { operatorAccount } = context.services
  if (!hasServiceKeys(context)) return false
  if (operatorAccount === context.accountId || (await currentAccount(context)).charges_by_service) return true
  return operatorAccount === null && (await isOnlyLiveAccount(context))
}

/** Whether the service has keys of its own. */
export function hasServiceKeys({ services: { payments } }: Pick<Context, 'services'>): boolean {
  return payments.providerFor({ test: false }).name !== payments.test.name
}

/** Notes that the account charges through the service's own keys, so that it keeps them when other accounts are opened. */
export async function noteServiceCharge(context: Context): Promise<void> {
  const { charges_by_service } = await currentAccount(context)
  if (!charges_by_service) await updateRowsOf(context, 'accounts').set({ charges_by_service: 1 }).execute()
}

/** Notes that the account has connected a provider of its own. */
export async function forgetServiceCharges(context: Context): Promise<void> {
  const { charges_by_service } = await currentAccount(context)
  if (charges_by_service) await updateRowsOf(context, 'accounts').set({ charges_by_service: 0 }).execute()
}

async function isOnlyLiveAccount({ db, accountId }: Context): Promise<boolean> {
  const question = { name: 'live accounts', tables: ['accounts'] as const }
  const live = db.selectFrom('accounts').select('id').where('test', '=', 0).limit(2)
  const rows = await readOnce({ db }, question, () => live.execute())
  return rows.length === 1 && rows[0]!.id === accountId
}
