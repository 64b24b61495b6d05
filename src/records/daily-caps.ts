import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { formatMoney } from '../format/money.ts'
import { formatNumber } from '../format/numbers.ts'
import type { Context } from './context.ts'
import { rowsOf, updateRowsOf } from './rows-of.ts'

const CAPPED = ['credits', 'emails', 'refunds'] as const
type Capped = (typeof CAPPED)[number]

/** The most that a token may use on one UTC day. A missing number means no cap. */
export type DailyCaps = Partial<Record<Capped, number>> & {
  /** The currency of `refunds`. */
  currency?: string
}

/** The tokens for which a use was counted, and the day. */
export interface CountedUse {
  day: string
  tokens: string[]
}

type CapContext = Pick<Context, 'db' | 'accountId' | 'realNow'> & { caller: Caller }

export const NO_USE: Readonly<Record<Capped, number>> = { credits: 0, emails: 0, refunds: 0 }

interface Use {
  of: Capped
  count: number
  /** The currency of a refund. */
  currency?: string
  /** The tokens that caused it; those of the caller if absent. */
  tokens?: readonly string[] | undefined
}

/** Returns the caps of the given tokens, sorted by token id. Tokens without caps are absent. */
async function capsOf(context: CapContext, tokens: readonly string[]): Promise<[token: string, caps: DailyCaps][]> {
  if (tokens.length === 0) return []
  const rows = rowsOf(context, 'api_tokens').select(['id', 'caps']).where('id', 'in', tokens)
  // Transactions that count for the same tokens lock them in the same order, so that they cannot deadlock.
  const found = await rows.where('caps', 'is not', null).orderBy('id').execute()
  return found.map(({ id, caps }) => [id, readCaps(caps)])
}

export function readCaps(caps: string | null): DailyCaps {
  return JSON.parse(caps ?? '{}')
}

/** Returns caps in their stored form; null without any. `refunds` are in `currency`. */
export function writeCaps(given: Record<Capped, number | null | undefined>, currency: string): string | null {
  const caps = CAPPED.flatMap((of) => (given[of] == null ? [] : [[of, given[of]] as const]))
  if (caps.length === 0) return null
  return JSON.stringify({ ...Object.fromEntries(caps), ...(given.refunds != null && { currency }) })
}

/** Counts a use in the open transaction. Throws a 403 if it exceeds a daily cap; the transaction must then be rolled back. */
export async function takeFromCaps(context: CapContext, use: Use): Promise<CountedUse | null> {
  const refusal = await countUse(context, use)
  if (refusal instanceof ApiError) throw refusal
  return refusal
}

/** Works like `takeFromCaps`, but returns the error and then counts nothing. Returns null if no token has a cap for the use. */
export async function countUse(context: CapContext, use: Use): Promise<CountedUse | ApiError | null> {
  const counted: CountedUse = { day: dayOf(context), tokens: [] }
  for (const [token, caps] of await capsOf(context, use.tokens ?? context.caller.capped ?? [])) {
    const most = caps[use.of]
    if (most === undefined) continue
    const other = use.of === 'refunds' && use.currency !== caps.currency
    if (other || !(await addUse(context, token, { ...use, most, day: counted.day }))) {
      await giveBack(context, use, counted)
      return other ? otherCurrency(caps) : await reached(context, token, { ...use, caps, most })
    }
    counted.tokens.push(token)
  }
  return counted.tokens.length > 0 ? counted : null
}

/** Reduces a counted use, for example by credits that were reserved and not spent. */
export async function giveBack(
  context: CapContext,
  { of, count }: Pick<Use, 'of' | 'count'>,
  { day, tokens }: CountedUse,
): Promise<void> {
  if (count === 0 || tokens.length === 0) return
  const uses = updateRowsOf(context, 'token_uses').set(({ eb }) => ({ [of]: eb(of, '-', count) }))
  await uses.where('day', '=', day).where('token_id', 'in', tokens).execute()
}

/** Returns how much the caller's tokens, or `tokens`, may still use today; infinite without a cap. */
export async function leftOfCaps(context: CapContext, of: Capped, tokens?: readonly string[]): Promise<number> {
  const capped = await capsOf(context, tokens ?? context.caller.capped ?? [])
  const uses = await usesToday(context, tokensOf(capped))
  const left = capped.map(([token, caps]) => (caps[of] ?? Number.POSITIVE_INFINITY) - (uses.get(token) ?? NO_USE)[of])
  return Math.max(0, Math.min(...left))
}

/** Returns how much of each daily cap of the caller's tokens is used, such as `3 of 10 credits`; empty without caps. */
export async function capsInWords(context: CapContext): Promise<string[]> {
  const capped = await capsOf(context, context.caller.capped ?? [])
  const uses = await usesToday(context, tokensOf(capped))
  return capped.flatMap(([token, caps]) =>
    CAPPED.flatMap((of) => {
      const most = caps[of]
      const [used, limit] = [(uses.get(token) ?? NO_USE)[of], most ?? 0].map((value) => inUnits(of, value, caps))
      return most === undefined ? [] : [`${used} of ${limit} ${of === 'refunds' ? 'refunded' : WORDS[of]}`]
    }),
  )
}

function tokensOf(capped: Awaited<ReturnType<typeof capsOf>>): string[] {
  return capped.map(([token]) => token)
}

/** Returns what tokens with caps have used on the current UTC day. Tokens that have used nothing are absent. */
export async function usesToday(
  context: Omit<CapContext, 'caller'>,
  tokens: readonly string[],
): Promise<Map<string, Record<Capped, number>>> {
  if (tokens.length === 0) return new Map()
  const rows = rowsOf(context, 'token_uses')
    .select(['token_id', ...CAPPED])
    .where('token_id', 'in', tokens)
  const found = await rows.where('day', '=', dayOf(context)).execute()
  return new Map(found.map(({ token_id, ...used }) => [token_id, used]))
}

/** Adds to a counter unless that would exceed the cap. The row is locked until the end of the transaction, so the count is exact. */
async function addUse(
  { db, accountId }: CapContext,
  token_id: string,
  { of, count, most, day }: Use & { most: number; day: string },
): Promise<boolean> {
  if (count > most) return false
  const added = await db
    .insertInto('token_uses')
    .values({ account_id: accountId, token_id, day, credits: 0, emails: 0, refunds: 0, [of]: count })
    .onConflict((known) =>
      known
        .columns(['account_id', 'token_id', 'day'])
        .doUpdateSet(({ eb, ref }) => ({ [of]: eb(ref(`token_uses.${of}`), '+', count) }))
        .where(`token_uses.${of}`, '<=', most - count),
    )
    .returning('day')
    .executeTakeFirst()
  return added !== undefined
}

function otherCurrency({ currency = '' }: DailyCaps): ApiError {
  return new ApiError(
    'permission_denied',
    `The daily cap of this token is in ${currency}, so it may refund only orders in ${currency}; nothing was refunded.`,
  )
}

async function reached(
  context: CapContext,
  token: string,
  { of, count, caps, most }: Use & { caps: DailyCaps; most: number },
): Promise<ApiError> {
  const used = ((await usesToday(context, [token])).get(token) ?? NO_USE)[of]
  const [amount, taken, needed] = [most, used, count].map((value) => inUnits(of, value, caps))
  return new ApiError(
    'permission_denied',
    `The daily cap of this token is reached: it may use ${amount} of ${WORDS[of]} a day, has used ${taken}, and this needs ${needed}. It starts anew at ${nextDay(context)}.`,
  )
}

const WORDS = { credits: 'credits', emails: 'e-mails', refunds: 'refunds' }

function inUnits(of: Capped, value: number, { currency = 'usd' }: DailyCaps): string {
  return of === 'refunds' ? formatMoney(value, currency) : formatNumber(value)
}

/** Returns the current UTC day in real time, which neither an account's time zone nor a test account's clock can change. */
function dayOf({ realNow }: Pick<CapContext, 'realNow'>): string {
  return realNow.slice(0, 10)
}

function nextDay(context: CapContext): string {
  const at = new Date(`${dayOf(context)}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + 1)
  return `${at.toISOString().slice(0, 10)} 00:00 UTC`
}
