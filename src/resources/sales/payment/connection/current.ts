import { ApiError } from '../../../../contract/declarations/errors.ts'
import { compileOnce } from '../../../../database/compile-once.ts'
import type { ConnectedAccount } from '../../../../providers/payments/connector.ts'
import type { Context, InAccount, VaultContext } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import { findRow } from '../../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { Account } from '../../../company/account/account.ts'
import { isOnlyLiveAccount } from '../../../company/account/life/list.ts'
import type { Tables } from '../../../tables.ts'

/** The maximum number of connections of an account, including former ones. */
const MOST_CONNECTIONS = 50

interface NewCurrent {
  provider: string
  id: string
  account: ConnectedAccount
  values: Pick<ConnectionRow, 'access' | 'sealed_key' | 'key_hint' | 'sealed_notices_secrets' | 'notices_id'>
}

/** Makes a connection take new payments; the previous connection still handles its renewals and refunds. */
export async function makeCurrent(context: Context, { provider, id, account, values }: NewCurrent): Promise<void> {
  const all = await connectionsOf(context)
  const before = await currentConnection(context)
  const updated_at = context.realNow
  if (before && before.id !== id) await change(context, before.id, { status: 'replaced', updated_at })
  const stored = { ...values, ...storedAnswer(account), status: 'current' as const, ...NOT_REFUSED, updated_at }
  if (all.some((one) => one.id === id)) await change(context, id, stored)
  else {
    if (all.length >= MOST_CONNECTIONS)
      throw new ApiError('invalid_state', `An account can be connected to at most ${MOST_CONNECTIONS} others.`)
    const row = {
      account_id: context.accountId,
      id,
      provider,
      provider_account: account.id,
      live: Number(account.live),
    }
    await context.db
      .insertInto('payment_connections')
      .values({ ...row, ...stored, created_at: updated_at })
      .execute()
  }
  await forgetServiceCharges(context)
}

const NOT_REFUSED = { refused_at: null, refused_reason: null }

function storedAnswer({ name, takesPayments, methods, payouts, missing }: ConnectedAccount) {
  return { name, details: JSON.stringify({ takesPayments, methods, payouts, missing }) }
}

/** Stores the provider's description of the account, and clears a recorded refusal of its key, because the key has just worked. */
export async function keepInspected(context: Context, id: string, account: ConnectedAccount): Promise<void> {
  await change(context, id, { ...storedAnswer(account), ...NOT_REFUSED, updated_at: context.realNow })
}

export async function change(context: Context, id: string, values: Partial<ConnectionRow>): Promise<void> {
  await updateRowsOf(context, 'payment_connections').set(values).where('id', '=', id).execute()
}

/**
 * Whether new payments of a live account use the service's own keys. This applies to the operator's account (by default the only live
 * account) and to accounts that have charged with these keys before.
 */
export async function usesServiceKeys(context: Pick<Context, 'db' | 'accountId' | 'services'>): Promise<boolean> {
  const { operatorAccount } = context.services
  if (!hasServiceKeys(context)) return false
  if (operatorAccount === context.accountId || (await hasCharged(context))) return true
  return operatorAccount === null && (await isOnlyLiveAccount(context))
}

export function hasServiceKeys({ services: { payments } }: VaultContext): boolean {
  return !payments.providerFor({ test: false }).immediate
}

/** Records a charge with the service's own keys, so that the account may go on using them when other accounts are created. */
export async function noteServiceCharge(context: Context): Promise<void> {
  if (!(await hasCharged(context))) await updateRowsOf(context, 'accounts').set({ charges_by_service: 1 }).execute()
}

/** Removes the record of `noteServiceCharge`, because the account now has its own provider. */
async function forgetServiceCharges(context: Context): Promise<void> {
  if (await hasCharged(context)) await updateRowsOf(context, 'accounts').set({ charges_by_service: 0 }).execute()
}

async function hasCharged(context: InAccount): Promise<boolean> {
  return (await findRow(context, Account, context.accountId))?.charges_by_service ?? false
}

export type ConnectionRow = Tables['payment_connections']

export const CONNECTION_PREFIX = 'pcon'

/** Whether the `provider` of a stored payment is the id of a connection, and not the name of one of the service's own providers. */
export function isConnection(provider: string): boolean {
  return provider.startsWith(`${CONNECTION_PREFIX}_`)
}

/** Returns the connections of the account, including former ones, oldest first. */
export async function connectionsOf(context: InAccount): Promise<ConnectionRow[]> {
  const question = { name: 'payment connections', tables: ['payment_connections'] as const }
  return memoize(context, question, () => allOf(context.db, context.accountId))
}

const allOf = compileOnce((db: Context['db'], accountId: string) =>
  rowsOf({ db, accountId }, 'payment_connections').selectAll().orderBy('id'),
)

export async function currentConnection(context: InAccount): Promise<ConnectionRow | undefined> {
  return (await connectionsOf(context)).find(({ status }) => status === 'current')
}

export async function findConnection(context: InAccount, id: string): Promise<ConnectionRow | undefined> {
  return (await connectionsOf(context)).find((one) => one.id === id)
}

/** Returns the reason why a connection can charge no stored card, or null if it can. */
export async function whyHeld(context: InAccount, provider: string): Promise<'refused' | 'removed' | null> {
  if (!isConnection(provider)) return null
  const connection = await findConnection(context, provider)
  if (connection?.status !== 'current' && connection?.status !== 'replaced') return 'removed'
  return connection.refused_at === null ? null : 'refused'
}
