import type { PlannedChange } from '../../../contract/declarations/planned-change.ts'
import { labelOf } from '../../../events/message.ts'
import { formatMoney } from '../../../format/money.ts'
import { inWords } from '../../../format/names.ts'
import type { Context } from '../../../records/context.ts'
import { findNamed, findRows } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { type ChangeGroup, type ComparedChange, idOf } from './compare.ts'

/** The maximum number of names that are looked up, because a plan may mention thousands of resources. */
const MOST_NAMED = 200

/** Returns the names of the resources in the shown changes by id, including resources that the plan would create. */
export async function namesIn(
  context: Context,
  planned: PlannedChange[],
  groups: ChangeGroup[],
): Promise<Record<string, string>> {
  const made = planned.flatMap((change) => (change.label === null ? [] : [[idOf(change), change.label] as const]))
  const mentioned = groups.flatMap((group) => group.changes.flatMap((change) => mentions(context, group, change)))
  const names = new Map(made)
  const unknown = mentioned.filter(({ id }) => !names.has(id)).slice(0, MOST_NAMED)
  const bought: Purchase[] = []
  for (const [object, some] of Map.groupBy(unknown, (one) => one.object)) {
    const noun = context.findNoun(object)
    if (!noun || noun.prefix === null) continue
    const rows = await findRows(context, noun, some.map(({ id }) => id).filter(noun.isId))
    for (const [id, row] of rows) {
      const label = labelOf(row)
      if (label !== null) names.set(id, label)
      else bought.push(...boughtOf(object, id, row))
    }
  }
  for (const [id, name] of await byBuyers(context, bought)) names.set(id, name)
  const shown = new Set(mentioned.map(({ id }) => id))
  return Object.fromEntries([...names].filter(([id]) => shown.has(id)))
}

/** An order, subscription or similar resource, which has no name of its own. */
interface Purchase {
  id: string
  object: string
  customer: string
  price: string
}

function boughtOf(object: string, id: string, row: object): Purchase[] {
  const { customer, amount, currency }: Record<string, unknown> = { ...row }
  if (typeof customer !== 'string') return []
  const isPriced = typeof amount === 'number' && typeof currency === 'string'
  return [{ id, object, customer, price: isPriced ? `, ${formatMoney(amount, currency)}` : '' }]
}

/** Returns labels by id, such as `order of ada@example.com, $29.00`. */
async function byBuyers(context: Context, bought: Purchase[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  if (bought.length === 0) return names
  const buyers = await findNamed(context, Customer, 'customer', bought)
  for (const { id, object, customer, price } of bought) {
    const buyer = buyers.get(customer)
    if (buyer) names.set(id, `${inWords(object)} of ${labelOf(buyer)}${price}`)
  }
  return names
}

interface Mention {
  object: string
  id: string
}

function mentions({ findNoun }: Context, { object }: ChangeGroup, change: ComparedChange): Mention[] {
  const { id, part_of, fields } = change
  const noun = findNoun(object)
  const inFields = fields.flatMap(({ name, from, to }) => {
    const target = noun?.fields[name]?.spec.relation?.noun
    const ids = [from, to].flat().filter((value) => typeof value === 'string')
    return target === undefined ? [] : ids.map((id) => ({ object: target, id }))
  })
  return [{ object, id }, ...part_of, ...inFields]
}
