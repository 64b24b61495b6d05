import { sql } from 'kysely'
import { inOnePiece } from '../../../../contract/values/values.ts'
import { declineOf } from '../../../../format/declines.ts'
import { formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { findNamed, findRows } from '../../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { Customer } from '../../../audience/customer/customer.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { Order } from '../../../sales/order/order.ts'
import { queueTeamNotice } from '../service-mail.ts'
import type { Fact } from '../templates/letter.ts'
import { readersOf, WRITE_TO_TEAM } from './choices.ts'
import { type GatheredLetter, TEAM_LETTERS, type TeamLetter } from './letters.ts'

/** The number of items that a letter lists, and the maximum number that is counted. */
const LISTED = 10
const MOST_COUNTED = 1000

interface Gathered {
  count: number
  sums: { currency: string; amount: number }[]
  latest: Fact[]
}

interface GatheredItem {
  customer: string
  amount: number | null
  currency: string
  why: string | null
}

/** Each query reads a limited number of rows from one range of an index. */
async function gather(context: Context, letter: GatheredLetter, since: string): Promise<Gathered> {
  const all = await GATHERERS[letter](context, since)
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + Number(amount ?? 0))
  const named = all.slice(0, LISTED)
  const customers = await findNamed(context, Customer, 'customer', named)
  const latest = named.map(({ customer, amount, currency, why }) => ({
    label: customers.get(customer)?.email ?? 'A customer',
    value: [formatMoney(Number(amount ?? 0), currency), why].filter(Boolean).join(': '),
  }))
  return { count: all.length, sums: [...sums].map(([currency, amount]) => ({ currency, amount })), latest }
}

/** Statuses are literals in the SQL, because only then do the partial indexes apply. */
const GATHERERS: Record<GatheredLetter, (context: Context, since: string) => Promise<GatheredItem[]>> = {
  async sales(context, since) {
    const paid = rowsOf(context, 'orders').select(['customer', 'amount', 'currency']).where('paid_at', '>=', since)
    const rows = await paid.where('amount', '>', 0).orderBy('paid_at', 'desc').limit(MOST_COUNTED).execute()
    return rows.map((row) => ({ ...row, why: null }))
  },
  async failed_payments(context, since) {
    const rows = await rowsOf(context, 'subscriptions')
      .select(['customer', 'amount_due as amount', 'currency', 'last_payment_error_code as code'])
      .where(sql<boolean>`status in ('past_due', 'unpaid')`)
      .where('updated_at', '>=', since)
      .orderBy('updated_at', 'desc')
      .limit(MOST_COUNTED)
      .execute()
    return rows.map(({ code, ...row }) => ({ ...row, why: declineOf(code).merchant }))
  },
  async disputes(context, since) {
    const rows = await rowsOf(context, 'disputes')
      .select(['order', 'amount', 'currency', 'due_at'])
      .where(sql<boolean>`status = 'needs_response'`)
      .where('updated_at', '>=', since)
      .orderBy('due_at')
      .limit(MOST_COUNTED)
      .execute()
    const named = rows.slice(0, LISTED).map(({ order }) => order)
    const [orders, { timezone }] = await Promise.all([findRows(context, Order, named), currentAccount(context)])
    return rows.map(({ order, amount, currency, due_at }) => {
      const why = due_at === null ? null : `answer by ${formatMoment(due_at, timezone)}`
      return { customer: orders.get(order)?.customer ?? '', amount, currency, why }
    })
  },
  async refunds(context, since) {
    const made = rowsOf(context, 'refunds').select(['order', 'amount', 'currency', 'created_at', 'reason', 'status'])
    const rows = await made.orderBy('id', 'desc').limit(MOST_COUNTED).execute()
    const recent = rows.filter(({ created_at, status }) => created_at >= since && status === 'succeeded')
    const orders = await findNamed(context, Order, 'order', recent.slice(0, LISTED))
    return recent.map(({ order, amount, currency, reason }) => {
      return { customer: orders.get(order)?.customer ?? '', amount, currency, why: reason }
    })
  },
}

/** Reports everything since the letter was scheduled; the next event schedules another one. */
export const writeToTeam = dueJob<{ letter: GatheredLetter }>(WRITE_TO_TEAM.name, {
  emits: ['email.created'],
  async work(context, { letter }) {
    const turn = await rowsOf(context, 'letter_turns').selectAll().where('letter', '=', letter).executeTakeFirst()
    if (!turn || turn.job === null) return
    const ended = { job: null, last_at: context.now }
    await updateRowsOf(context, 'letter_turns').set(ended).where('letter', '=', letter).execute()
    await write(context, letter, turn.since)
  },
})

const PAGES: Record<GatheredLetter, string> = {
  sales: '/orders',
  failed_payments: '/recover',
  disputes: '/disputes?status=needs_response',
  refunds: '/orders?status=refunded&status=partially_refunded',
}

async function write(context: Context, letter: GatheredLetter, since: string): Promise<void> {
  const readers = await readersOf(context, letter)
  if (readers.length === 0) return
  const found = await gather(context, letter, since)
  if (found.count === 0) return
  const { subdomain } = await currentAccount(context)
  const url = `${context.publicUrl}/dashboard/${subdomain}${PAGES[letter]}`
  const data = { letter, ...found, most: MOST_COUNTED, url }
  for (const { id: userId, email: to } of readers) {
    const stop = stopUrl(context, { accountId: context.accountId, userId, letter })
    await queueTeamNotice(context, { to, customer: null, stopUrl: stop }, data)
  }
}

const PURPOSE = 'stop letter'

/** An unsubscribe link stops letters of one kind to one person. */
export interface Stopped {
  accountId: string
  userId: string
  letter: TeamLetter
}

type VaultContext = Pick<Context, 'services'>

/** Returns the URL of a page that needs no sign-in. */
export function stopUrl(context: VaultContext & Pick<Context, 'publicUrl'>, stopped: Stopped): string {
  const named = nameOf(stopped)
  return inOnePiece(context.publicUrl, '/letters/', `${named}.${context.services.vault.derive(PURPOSE, named)}`)
}

/** Returns null if the key, the last part of the URL, is invalid. */
export function stoppedBy({ services }: VaultContext, key: string): Stopped | null {
  const [accountId = '', userId = '', letter = '', given = '', ...more] = key.split('.')
  if (more.length > 0 || !isTeamLetter(letter)) return null
  const stopped = { accountId, userId, letter }
  return services.vault.matches(PURPOSE, nameOf(stopped), given) ? stopped : null
}

function nameOf({ accountId, userId, letter }: Stopped): string {
  return `${accountId}.${userId}.${letter}`
}

function isTeamLetter(letter: string): letter is TeamLetter {
  return Object.hasOwn(TEAM_LETTERS, letter)
}
