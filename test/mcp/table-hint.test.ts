import { expect, it } from 'vitest'
import { tableHint } from '../../src/mcp/answer.ts'

const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    identifier: id,
    description: 'x',
    amount_refunded: null,
    status: 'paid',
  }))

it('offers a table for many rows of one shape, alone or as the only list of a result', () => {
  const hint =
    'The result takes 7.5 KB; table(rows, "identifier", "description", "amount_refunded", …) would take 1.2 KB.'
  expect(tableHint(rows(100))).toMatch(
    /^The result takes .* KB; table\(rows, "identifier", "description", "amount_refunded", …\) would take/,
  )
  expect(tableHint({ total: 3, orders: rows(100) })?.length).toBeLessThan(hint.length + 10)
})

it('is silent where it would not pay', () => {
  expect(tableHint(rows(10))).toBeNull()
  expect(tableHint([...rows(100), { other: 1 }])).toBeNull()
  expect(tableHint({ some: rows(100), others: rows(100) })).toBeNull()
  expect(tableHint(Array.from({ length: 100 }, () => ({ a: 'x'.repeat(100) })))).toBeNull()
  expect(tableHint('x'.repeat(10_000))).toBeNull()
  expect(tableHint(null)).toBeNull()
})
