import type { AccountUser } from '../contract/declarations/caller.ts'
import { timestampOf } from '../contract/values/values.ts'
import { Books } from './books.ts'
import { SUBMISSIONS } from './forms.ts'
import { call, type Happening } from './happening.ts'
import { openShop } from './opening.ts'
import { SALES } from './sales.ts'
import { type HistoryParts, Shopkeeper } from './shopkeeper.ts'
import { TASKS } from './tasks.ts'
import { Trade } from './trade.ts'

/** The first hour of the day at which events without an `hour` take place, in UTC. */
const FIRST_HOUR = 13

/** The purchases are inserted on these days. The last two weeks have an entry per day, so that daily reports are realistic. */
const ENTERED_DAYS_AGO = [170, 120, 80, 50, 30, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * Creates half a year of history: refunds, invoices, leads and posts go through the real operations while the account's clock
 * advances to the present. `Books` inserts the ordinary purchases in bulk.
 */
export async function liveDemoHistory(
  parts: HistoryParts,
  owner: AccountUser,
  ofFeatures: readonly Happening[],
): Promise<void> {
  const shop = new Shopkeeper(parts, owner)
  await openShop(shop)
  const books = new Books(shop, new Trade(shop))
  const entries = ENTERED_DAYS_AGO.map((daysAgo): Happening => {
    return { daysAgo, hour: 12, act: () => books.enterUntil(shop.on(-daysAgo, 12)) }
  })
  const past = [...entries, ...SALES, ...SUBMISSIONS, ...ofFeatures, ...COMPANY, ...TASKS]
  const byMoment = Map.groupBy(past, (one) => momentOf(shop, one))
  for (const [moment, happenings] of [...byMoment].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await parts.advanceClock(owner.accountId, moment)
    for (const one of happenings) await one.act(shop)
  }
  await parts.advanceClock(owner.accountId, timestampOf(new Date()))
  await books.enterUntil(shop.before(0))
}

/** Returns the time of an event. Without an hour, it is from 13:00 to 23:00 UTC, derived from the day so that it is reproducible. */
function momentOf(shop: Shopkeeper, { daysAgo, hour }: Happening): string {
  if (daysAgo < 1) return shop.before(daysAgo)
  return shop.on(-daysAgo, hour ?? FIRST_HOUR + ((daysAgo * 47) % 100) / 10)
}

/** Payments by x402 stay off, because only an owner can set the wallet, but the test blockchain is already chosen. */
export const COMPANY: readonly Happening[] = [
  call(14, '/x402_configuration', { x402_chain: 'base-sepolia' }, { method: 'PATCH' }),
]
