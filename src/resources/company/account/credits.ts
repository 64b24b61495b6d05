import { type Actor, type Caller, isUser, type Role } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { cappedBy, leastRights, rightOf } from '../../../contract/declarations/rights.ts'
import { include, rolesNeeded, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { timestampOf } from '../../../contract/values/values.ts'
import { listed } from '../../../format/lists.ts'
import { NO_RIGHTS } from '../../../providers/runners/provider.ts'
import type { Context } from '../../../records/context.ts'
import { giveBack, takeFromCaps } from '../../../records/daily-caps.ts'
import { dueJob } from '../../../records/job.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { rightsOf } from '../user/members.ts'
import { bookCredits, isClosed, reservedEntry } from './credit-ledger.ts'

/** Paid work takes seconds, so a reservation that is open for longer was left by a crash. */
const LOST_AFTER_MS = 15 * 60 * 1000

/** Credits that are set aside until `settleCredits` or `returnCredits` is called. */
export interface Reservation {
  readonly id: string
  /** The job that returns the credits if the reservation is never closed. */
  readonly jobId: string
}

interface ReservationRequest {
  credits: number
  /** The kind of work that the credits pay for, such as `web_map`. */
  reason: string
  reference?: string
  /** The tokens with daily caps for which the credits count; those of the caller if absent. */
  capped?: readonly string[] | undefined
}

/**
 * Reserves credits before paid work begins, so that concurrent calls cannot spend them twice. Commit before the work, and call
 * `settleCredits` or `returnCredits` after it. Throws 403 `permission_denied` and 402 `insufficient_credits`; the transaction
 * must then be rolled back.
 */
export async function reserveCredits(
  context: Context,
  { credits, reason, reference, capped }: ReservationRequest,
): Promise<Reservation> {
  requireMaySpend(context.caller)
  const use = await takeFromCaps(context, { of: 'credits', count: credits, tokens: capped })
  const counted = use && JSON.stringify(use)
  const about = { reason, reference: reference ?? null, counted }
  const change = { ...about, kind: 'reserved', delta: -credits, reservation: null } as const
  const entry = await bookCredits(context, change)
  if (!entry)
    throw new ApiError(
      'insufficient_credits',
      `This costs ${credits} credits, but the account has fewer. Nothing was done.`,
    )
  const runAt = timestampOf(new Date(Date.parse(context.now) + LOST_AFTER_MS))
  return { id: entry.id, jobId: await context.enqueue(returnLostCredits, { reservation: entry.id }, { runAt }) }
}

/**
 * Charges a reservation, in full unless `used` is lower, and returns the rest. If the credits were already returned because the work took
 * too long, charges the cost up to the account's balance.
 */
export async function settleCredits(context: Context, { id, jobId }: Reservation, used?: number): Promise<void> {
  const { delta, reason, reference, counted } = await reservedEntry(context, id)
  const spent = used ?? -delta
  if (spent < 0 || spent > -delta) throw new Error(`${spent} credits cannot be spent of ${-delta} that were reserved`)
  await context.cancel(jobId)
  const about = { reason, reference }
  if (!(await isClosed(context, id))) {
    await bookCredits(context, { ...about, kind: 'settled', delta: -delta - spent, reservation: id })
    await uncount(context, counted, -delta - spent)
    return
  }
  const affordable = Math.min(spent, await balanceOf(context))
  if (affordable === 0) return
  await bookCredits(context, { ...about, kind: 'charged', delta: -affordable, reservation: null })
  await uncount(context, counted, -affordable)
}

export async function returnCredits(context: Context, { id, jobId }: Reservation): Promise<void> {
  await context.cancel(jobId)
  await returnReserved(context, id)
}

export async function balanceOf(context: Context): Promise<number> {
  const account = rowsOf(context, 'accounts').select('credit_balance').where('id', '=', context.accountId)
  return (await account.executeTakeFirstOrThrow()).credit_balance
}

/** Throws 403 `permission_denied` for users who may not spend credits. The service itself always may. */
function requireMaySpend(caller: Caller): void {
  if (isUser(caller)) refuse({ roles: rolesOf(caller), right: rightOf(caller) }, 'yours is')
}

/**
 * Throws 403 `permission_denied` unless each of these people may spend the account's credits. Returns those tokens of theirs and
 * of the caller's that have daily caps.
 */
export async function requireMaySpendFor(context: Context, actors: readonly Actor[]): Promise<readonly string[]> {
  const all = await rightsOf(context, actors)
  if (!all) throw new ApiError('permission_denied', NO_RIGHTS)
  refuse(leastRights(all), 'of those who wrote, changed or approved this, somebody is')
  return cappedBy(all, context.caller).capped ?? []
}

function refuse({ roles, right }: { roles: readonly Role[]; right: string }, whose: string): void {
  const lacking = [...new Set(roles)].filter((role) => !include([role], 'account.spend'))
  if (lacking.length > 0)
    throw new ApiError('permission_denied', `${rolesNeeded('account.spend')}; ${whose} ${listed(lacking)}.`)
  if (right === 'read')
    throw new ApiError('permission_denied', 'A read-only token may not spend the credits of the account.')
}

export const grantLater = dueJob<Record<string, never>>('credits.grant', { work: (context) => grantMonth(context) })

/** Gives reserved credits back that were neither charged nor returned, for example after a crash. */
export const returnLostCredits = dueJob<{ reservation: string }>('credits.return', {
  async work(context, { reservation }) {
    await returnReserved(context, reservation)
  },
})

/** Gives the credits of a reservation back. Resolves to false if the reservation was already closed. */
export async function returnReserved(context: Context, id: string): Promise<boolean> {
  if (await isClosed(context, id)) return false
  const { delta, reason, reference, counted } = await reservedEntry(context, id)
  await bookCredits(context, { kind: 'returned', delta: -delta, reason, reference, reservation: id })
  await uncount(context, counted, -delta)
  return true
}

/** Subtracts unspent credits from the uses that were counted against daily caps. A negative number adds to these uses again. */
async function uncount(context: Context, counted: string | null, credits: number): Promise<void> {
  if (counted !== null) await giveBack(context, { of: 'credits', count: credits }, JSON.parse(counted))
}

/** Grants this month's credits and schedules the next grant, once: of concurrent calls, only the first advances `credits_month`. */
export async function grantMonth(context: Context): Promise<void> {
  const month = context.now.slice(0, 7)
  const moved = await updateRowsOf(context, 'accounts')
    .set({ credits_month: month })
    .where('id', '=', context.accountId)
    .where(({ eb, or }) => or([eb('credits_month', 'is', null), eb('credits_month', '<', month)]))
    .returning('created_at')
    .executeTakeFirst()
  if (!moved) return
  const { monthlyCredits: delta } = context.services
  // The opening credits cover the month in which the account was created.
  if (delta > 0 && moved.created_at.slice(0, 7) < month)
    await bookCredits(context, { kind: 'granted', delta, reason: 'monthly_grant', reference: month, reservation: null })
  await context.enqueue(grantLater, {}, { runAt: nextMonth(context.now) })
}

function nextMonth(now: string): string {
  const date = new Date(now)
  return timestampOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)))
}
