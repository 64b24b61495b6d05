import fc from 'fast-check'
import type { Card, Country } from './state.ts'

/** A number that picks one of what there is at that moment. */
type Pick = number

export interface ItemWish {
  price: Pick
  quantity: number
  amount: number | null
}

/** One thing that somebody does with the shop, or that time does. */
export type Action =
  | { act: 'open'; items: ItemWish[]; buyer: Pick; known: boolean; code: Pick | null; country: Country }
  | { act: 'buy'; items: ItemWish[]; buyer: Pick; known: boolean; code: Pick | null; country: Country; card: Card }
  | { act: 'change'; checkout: Pick; items: ItemWish[] | null; email: Pick | null; code: Pick | 'keep' | 'remove' }
  | { act: 'pay'; checkout: Pick; card: Card; times: number; buyer: Pick }
  | { act: 'answer'; payment: Pick; approved: boolean }
  | { act: 'refund'; order: Pick; percent: number | null }
  | { act: 'dispute'; order: Pick; what: 'opened' | 'won' | 'lost' }
  | { act: 'bill'; price: Pick; quantity: number; buyer: Pick; country: Country; days: number }
  | { act: 'open invoice'; invoice: Pick }
  | { act: 'void'; invoice: Pick }
  | { act: 'cancel'; subscription: Pick; immediately: boolean; reason: string | null }
  | { act: 'pause'; subscription: Pick; days: number | null }
  | { act: 'resume'; subscription: Pick }
  | { act: 'live'; minutes: number }
  | { act: 'live past what is due'; minutes: number }
  | { act: 'price'; price: Pick; stock?: number | null; archived?: boolean; amount?: number }
  | { act: 'product'; product: Pick; status: 'draft' | 'active' | 'archived' }
  | { act: 'code'; code: Pick; on?: boolean; most?: number }
  | { act: 'currency'; currency: string }

const pick = fc.nat(10_000)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 })
const small = fc.integer({ min: 1, max: 3 })
const HOUR = 60
const DAY = 24 * HOUR

const item = fc.record<ItemWish>({
  price: pick,
  quantity: small,
  amount: maybe(fc.constantFrom(0, 1, 500, 700, 4999, 90_000)),
})
const items = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(item) },
  { weight: 1, arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }) },
)
const cards = fc.constantFrom<Card>(
  ...(['good', 'good', 'good', 'declined', 'second step', 'fails later', 'fails later', 'no refund'] as const),
)
const minutes = fc.constantFrom(
  1,
  29,
  30,
  31,
  HOUR,
  23 * HOUR,
  DAY,
  DAY + 1,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  31 * DAY,
  95 * DAY,
)
const country = fc.constantFrom<Country>('DE', 'FR', 'US')
const cart = {
  ...{ items, buyer: pick, known: fc.boolean(), country },
  code: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: pick }),
}
const opened = fc.record({ act: fc.constant('open' as const), ...cart })
const bought = fc.record({ act: fc.constant('buy' as const), ...cart, card: cards })
const changed = fc.record({
  ...{ act: fc.constant('change' as const), checkout: pick, items: maybe(items), email: maybe(pick) },
  code: fc.oneof(fc.constantFrom('keep' as const, 'remove' as const), pick),
})
const paid = fc.record({
  ...{ act: fc.constant('pay' as const), checkout: pick, card: cards, buyer: pick },
  times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 10 }) }),
})
const answered = fc.record({ act: fc.constant('answer' as const), payment: pick, approved: fc.boolean() })
const refunded = fc.record({
  ...{ act: fc.constant('refund' as const), order: pick, percent: maybe(fc.constantFrom(1, 10, 33, 50, 99, 100, 101)) },
})
const disputed = fc.record({
  ...{ act: fc.constant('dispute' as const), order: pick, what: fc.constantFrom('opened' as const, 'won', 'lost') },
})
const billed = fc.record({
  ...{
    act: fc.constant('bill' as const),
    price: pick,
    quantity: small,
    buyer: fc.integer({ min: 0, max: 3 }),
    country,
  },
  days: fc.constantFrom(0, 1, 1, 14, 30),
})
const invoice = fc.record({ act: fc.constantFrom('open invoice' as const, 'void' as const), invoice: pick })
const canceled = fc.record({
  ...{ act: fc.constant('cancel' as const), subscription: pick, immediately: fc.boolean() },
  reason: maybe(fc.constant('too dear')),
})
const paused = fc.record({
  ...{ act: fc.constant('pause' as const), subscription: pick, days: maybe(fc.constantFrom(0, 1, 5, 40)) },
})
const resumed = fc.record({ act: fc.constant('resume' as const), subscription: pick })
const lived = fc.record({
  act: fc.constantFrom('live' as const, 'live past what is due' as const, 'live past what is due' as const),
  minutes,
})
const priced = fc.record(
  {
    ...{ act: fc.constant('price' as const), price: pick, stock: maybe(fc.integer({ min: 0, max: 5 })) },
    ...{ archived: fc.constantFrom(true, false, false), amount: fc.integer({ min: 1, max: 9999 }) },
  },
  { requiredKeys: ['act', 'price'] },
)
const shelved = fc.record({
  ...{ act: fc.constant('product' as const), product: pick },
  status: fc.constantFrom('draft' as const, 'active', 'active', 'active', 'archived'),
})
const coded = fc.record(
  { act: fc.constant('code' as const), code: pick, on: fc.boolean(), most: fc.integer({ min: 1, max: 3 }) },
  { requiredKeys: ['act', 'code'] },
)
const currency = fc.record({ act: fc.constant('currency' as const), currency: fc.constantFrom('usd', 'eur') })

/** What happens in a shop; buying, paying and time more than the rest. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: opened },
  { weight: 8, arbitrary: bought },
  { weight: 5, arbitrary: paid },
  { weight: 14, arbitrary: lived },
  { weight: 2, arbitrary: changed },
  { weight: 3, arbitrary: answered },
  { weight: 3, arbitrary: refunded },
  { weight: 1, arbitrary: disputed },
  { weight: 2, arbitrary: billed },
  { weight: 2, arbitrary: invoice },
  { weight: 2, arbitrary: canceled },
  { weight: 2, arbitrary: paused },
  { weight: 2, arbitrary: resumed },
  { weight: 1, arbitrary: priced },
  { weight: 1, arbitrary: shelved },
  { weight: 1, arbitrary: coded },
  { weight: 1, arbitrary: currency },
)

/** What is bought is opened first, and paid by a buyer who may enter an address on the page only. */
export function partsOf(action: Action): Exclude<Action, { act: 'buy' }>[] {
  if (action.act !== 'buy') return [action]
  const { items, buyer, known, code, country, card } = action
  const opening = { act: 'open', items, buyer: buyer % 2 === 0 ? 0 : buyer, known, code, country } as const
  return [opening, { act: 'pay', checkout: 0, card, times: 1, buyer }]
}
