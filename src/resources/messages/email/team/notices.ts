import { sql } from 'kysely'
import { include } from '../../../../contract/declarations/role-rights.ts'
import { inOnePiece, laterBy } from '../../../../contract/values/values.ts'
import { compileOnce, insertSeveral } from '../../../../database/compile-once.ts'
import { declineOf } from '../../../../format/declines.ts'
import { formatMoment } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import type { Context, InAccount, VaultContext } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { memoize } from '../../../../records/memoize.ts'
import { findNamed, findRows } from '../../../../records/records.ts'
import { rowsOf, send, updateRowsOf } from '../../../../records/rows-of.ts'
import { Customer } from '../../../audience/customer/customer.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { type Member, membersOf } from '../../../company/user/members.ts'
import { Order } from '../../../sales/order/order.ts'
import { queueTeamNotice } from '../service-mail.ts'
import type { Fact } from '../templates/letter.ts'
import { type BuyerLetter, type GatheredLetter, PAUSE_MS, TEAM_LETTERS, type TeamLetter } from './letters.ts'

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

/** Summarizes the events since a time. Each query reads a limited number of rows from one range of an index. */
async function gather(context: Context, letter: GatheredLetter, since: string): Promise<Gathered> {
  const all = await GATHERERS[letter](context, since)
  const sums = new Map<string, number>()
  for (const { amount, currency } of all) sums.set(currency, (sums.get(currency) ?? 0) + (amount ?? 0))
  const named = all.slice(0, LISTED)
  const customers = await findNamed(context, Customer, 'customer', named)
  const latest = named.map(({ customer, amount, currency, why }) => ({
    label: customers.get(customer)?.email ?? 'A customer',
    value: [formatMoney(amount ?? 0, currency), why].filter(Boolean).join(': '),
  }))
  return { count: all.length, sums: [...sums].map(([currency, amount]) => ({ currency, amount })), latest }
}

/** Statuses are literals in the SQL, because partial indexes cannot be used with parameters. */
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
export const writeToTeam = dueJob<{ letter: GatheredLetter }>('letter.write_to_team', {
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

/** What an unsubscribe link stops: letters of one kind to one person. */
export interface Stopped {
  accountId: string
  userId: string
  letter: TeamLetter
}

/** Returns the URL of the unsubscribe page, which needs no sign-in. */
export function stopUrl(context: VaultContext & Pick<Context, 'publicUrl'>, stopped: Stopped): string {
  const named = nameOf(stopped)
  return inOnePiece(context.publicUrl, '/letters/', `${named}.${context.services.vault.derive(PURPOSE, named)}`)
}

/** Returns what an unsubscribe URL stops; null if the key, its last part, is invalid. */
export function stoppedBy({ services }: VaultContext, key: string): Stopped | null {
  const [accountId = '', userId = '', letter = '', given = '', ...more] = key.split('.')
  if (more.length > 0 || !isTeamLetter(letter)) return null
  const stopped = { accountId, userId, letter }
  return services.vault.matches(PURPOSE, nameOf(stopped), given) ? stopped : null
}

function nameOf({ accountId, userId, letter }: Stopped): string {
  return `${accountId}.${userId}.${letter}`
}

export function isTeamLetter(letter: string): letter is TeamLetter {
  return Object.hasOwn(TEAM_LETTERS, letter)
}

/** The user id of the account's own settings, which apply to letters to buyers. */
export const THE_ACCOUNT = ''

export async function buyersGet(context: InAccount, letter: BuyerLetter): Promise<boolean> {
  return (await choicesOf(context, THE_ACCOUNT)).get(letter) ?? true
}

/** Returns the choices of one person or, for `THE_ACCOUNT`, of the account. */
export async function choicesOf(context: InAccount, userId: string): Promise<Map<string, boolean>> {
  const rows = await rowsOf(context, 'letter_choices')
    .select(['letter', 'wanted'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ letter, wanted }) => [letter, wanted === 1]))
}

export async function choose(
  context: InAccount,
  { userId, letter, wanted }: { userId: string; letter: string; wanted: boolean },
): Promise<void> {
  const row = { account_id: context.accountId, user_id: userId, letter, wanted: Number(wanted) }
  const taken = ['account_id', 'user_id', 'letter']
  await insertSeveral(context.db, 'letter_choices', [row], { taken, replace: true })
}

/** Returns the members who want a letter and may open its page. Members with the old role `member` are left out. */
export async function readersOf(context: InAccount, letter: TeamLetter): Promise<Member[]> {
  const chosen = await rowsOf(context, 'letter_choices')
    .select(['user_id', 'wanted'])
    .where('letter', '=', letter)
    .where('user_id', '!=', THE_ACCOUNT)
    .execute()
  const choices = new Map(chosen.map(({ user_id, wanted }) => [user_id, wanted === 1]))
  const members = [...(await membersOf(context)).values()]
  const { needs, wanted } = TEAM_LETTERS[letter]
  return members.filter(({ id, role }) => role !== 'member' && include([role], needs) && (choices.get(id) ?? wanted))
}

/** Whether any member may want a letter, without reading the members. */
async function anybodyMayWant(context: InAccount, letter: TeamLetter): Promise<boolean> {
  if (TEAM_LETTERS[letter].wanted) return true
  const question = { name: `readers of ${letter}`, tables: ['letter_choices'] as const }
  const [asked] = await memoize(context, question, () => choicesFor(context.db, context.accountId, letter))
  return asked !== undefined
}

const choicesFor = compileOnce((db: InAccount['db'], accountId: string, letter: TeamLetter) =>
  rowsOf({ db, accountId }, 'letter_choices')
    .select('letter')
    .where('letter', '=', letter)
    .where('wanted', '=', 1)
    .limit(1),
)

/** Schedules a letter about an event in the same transaction. Events until it is written are reported in the same letter. */
export async function noteForTeam(context: Context, letter: GatheredLetter): Promise<void> {
  const [isWanted, turn] = await readTurn(context, letter)
  if (!isWanted || (turn && turn.job !== null)) return
  const next = turn?.last_at ? laterBy(turn.last_at, PAUSE_MS[letter]) : context.now
  const job = await context.enqueue(writeToTeam, { letter }, next > context.now ? { runAt: next } : {})
  const planned = { job, since: context.now }
  const kept = context.db
    .insertInto('letter_turns')
    .values({ account_id: context.accountId, letter, last_at: null, ...planned })
    .onConflict((known) => known.columns(['account_id', 'letter']).doUpdateSet(planned))
  await send(context, kept)
}

/** Reads what `noteForTeam` needs. Callers may call it earlier, because the results are cached. */
export function readTurn(context: Context, letter: GatheredLetter) {
  const question = { name: `turn of ${letter}`, tables: ['letter_turns'] as const }
  return Promise.all([
    anybodyMayWant(context, letter),
    memoize(context, question, async () => (await turnsOf(context.db, context.accountId, letter))[0]),
  ])
}

const turnsOf = compileOnce((db: Context['db'], accountId: string, letter: GatheredLetter) =>
  rowsOf({ db, accountId }, 'letter_turns').selectAll().where('letter', '=', letter),
)
