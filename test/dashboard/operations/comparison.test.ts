import { describe, expect, it } from 'vitest'
import type { PlannedChange } from '../../../src/contract/declarations/planned-change.ts'
import { textDiff } from '../../../src/pages/dashboard/agents/comparison.ts'
import { summaryOf, timeUntil } from '../../../src/pages/dashboard/agents/words.ts'
import { PriceVariant } from '../../../src/resources/catalog/price-variant/price-variant.ts'
import { groupsOf } from '../../../src/resources/dashboard/plan-comparison/compare.ts'

const shop = { findNoun: (name: string) => (name === 'price_variant' ? PriceVariant : undefined), currency: 'usd' }
const about = { object: 'price_variant', partOf: { product: 'prod_1' }, currency: 'eur' }
const price = (id: string, from: number, to: number): PlannedChange => ({
  key: `price_variant.updated ${id}`,
  label: id,
  from: { amount: from },
  to: { amount: to },
  about: { ...about, kind: 'updated' },
})

describe('The comparison of a plan', () => {
  it('puts deletions first, and tells of nothing twice', () => {
    const made = { from: null, label: 'ada@example.com', about: { ...about, object: 'customer', partOf: {} } }
    const planned: PlannedChange[] = [
      {
        ...made,
        key: 'customer.created #customer 1',
        to: { email: 'ada@example.com' },
        about: { ...made.about, kind: 'created' },
      },
      { ...made, key: 'lead.created #customer 1', to: null, about: { ...made.about, kind: null } },
      { ...made, key: 'order.paid order_1', to: null, about: { ...made.about, object: 'order', kind: null } },
      price('price_1', 1000, 1100),
      { ...made, key: 'tag.deleted tag_1', to: null, about: { ...made.about, object: 'tag', kind: 'deleted' } },
    ]
    const groups = groupsOf(planned, shop, 10)
    expect(groups.map(({ event }) => event)).toEqual([
      'tag.deleted',
      'price_variant.updated',
      'customer.created',
      'order.paid',
    ])
    expect(groups[1]!.changes[0]).toMatchObject({ part_of: [{ object: 'product', id: 'prod_1' }], currency: 'eur' })
  })

  it('says how far amounts move over all changes, not only those that are shown', () => {
    const planned = [price('price_1', 1000, 1100), price('price_2', 2000, 1900), price('price_3', 0, 500)]
    const [group] = groupsOf(planned, shop, 1)
    expect(group).toMatchObject({ count: 3, changes: [{ id: 'price_1' }] })
    const percent = { least_percent: null, most_percent: null }
    expect(group!.moved).toEqual([
      { field: 'amount', currency: 'eur', raised: 2, lowered: 1, least: 100, most: 500, ...percent },
    ])
  })

  it('reads plans that were stored before they said what they are about', () => {
    const { about: _, ...old } = price('price_1', 1, 2)
    expect(groupsOf([old], shop, 10)[0]).toMatchObject({ object: 'price_variant', kind: 'updated' })
  })
})

describe('What pages say of plans', () => {
  it('is a sentence', () => {
    expect(summaryOf({ 'tag.created': 1, 'price_variant.updated': 3, 'customer.deleted': 2 })).toBe(
      '2 customers are deleted, 3 prices are changed and 1 tag is created',
    )
    expect(summaryOf({ 'a.created': 1, 'b.created': 1, 'c.created': 1, 'order.paid': 4 })).toMatch(/ and 4 more$/)
    expect(summaryOf({ 'blog_category.created': 2 })).toBe('2 blog categories are created')
    expect(summaryOf({})).toBe('Nothing changes')
  })

  it('is how long there is', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(timeUntil('2026-01-01T00:41:30Z', now)).toBe('42 minutes')
    expect(timeUntil('2026-01-01T00:00:10Z', now)).toBe('10 seconds')
  })

  it('is what differs in a text', () => {
    expect(textDiff('A tea from Assam.', 'A tea from Assam. New!')).toEqual({
      start: 'A tea from Assam.',
      old: '',
      new: ' New!',
      end: '',
    })
    expect(textDiff('one two three', 'one 2 three')).toEqual({ start: 'one ', old: 'two', new: '2', end: ' three' })
    expect(textDiff('Notebook', 'Notebook, A6')).toMatchObject({ old: '', new: ', A6' })
    expect(textDiff('It weighs 1.5 kg', 'It weighs 1.7 kg')).toMatchObject({ old: '1.5', new: '1.7' })
    expect(textDiff('a a', 'a a a')).toMatchObject({ old: '' })
    expect(textDiff(`${'x '.repeat(99)}end`, `${'x '.repeat(99)}END`).start).toMatch(/^….{60}$/)
  })
})
