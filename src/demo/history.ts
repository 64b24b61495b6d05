import type { AccountUser } from '../contract/declarations/caller.ts'
import { timestampOf } from '../contract/values/values.ts'
import { COMPANY } from './company.ts'
import { SUBMISSIONS } from './forms.ts'
import { type Happening, happen } from './happening.ts'
import { openShop } from './opening.ts'
import { SALES, type Sale } from './sales.ts'
import { type HistoryParts, Shopkeeper } from './shopkeeper.ts'
import { SOCIAL } from './social.ts'
import { TASKS } from './tasks.ts'

/** When the shop opens, in UTC. */
const FIRST_HOUR = 13

/** Everything that happens after the opening. */
const PAST: readonly (Sale | Happening)[] = [...SALES, ...SUBMISSIONS, ...SOCIAL, ...COMPANY, ...TASKS]

/**
 * Lives through half a year of the demo shop: buyers, refunds, invoices, leads, posts, and all that falls due between, by the same
 * rules as in life. At the end its clock shows the present.
 */
export async function liveDemoHistory(parts: HistoryParts, owner: AccountUser): Promise<void> {
  const shop = new Shopkeeper(parts, owner)
  await openShop(shop)
  const byMoment = Map.groupBy(PAST, (one) => momentOf(shop, one))
  for (const [moment, happenings] of [...byMoment].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await parts.advanceClock(owner.accountId, moment)
    for (const happening of happenings) await happen(shop, happening)
  }
  await parts.advanceClock(owner.accountId, timestampOf(new Date()))
}

/** Something that has no hour of its own happens at one in the day of the shop, always at the same for the same day. */
function momentOf(shop: Shopkeeper, { daysAgo, hour }: { daysAgo: number; hour?: number }): string {
  if (daysAgo < 1) return shop.before(daysAgo)
  return shop.on(-daysAgo, hour ?? FIRST_HOUR + ((daysAgo * 47) % 100) / 10)
}
