import { expect, it } from 'vitest'
import { foundAt } from '../../src/integrity/finding.ts'

it('A finding names each place once, with how often it was found', () => {
  const rule = {
    area: 'references',
    severity: 'wrong',
    problem: 'Rows name a missing row',
    advice: 'Restore.',
  } as const
  const places = ['acct_1 cus_1', 'acct_1 cus_1', ...Array.from({ length: 8 }, (_, at) => `acct_1 cus_${at + 2}`)]
  expect(foundAt(places, rule)).toMatchObject({
    count: '10',
    places: ['acct_1 cus_1 (2 times)', 'acct_1 cus_2', 'acct_1 cus_3', 'acct_1 cus_4', 'acct_1 cus_5'],
  })
  expect(foundAt([], rule)).toBeNull()
})
