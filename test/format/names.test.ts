import { expect, it } from 'vitest'
import { aOrAn, changeInWords, inWords } from '../../src/format/names.ts'

it.each([
  ['price_variant', 'price variant', 'a price variant'],
  ['order_item', 'order item', 'an order item'],
  ['user', 'user', 'a user'],
  ['ai_site', 'ai site', 'an ai site'],
])('%s is %s in words, and %s in a sentence', (name, words, one) => {
  expect([inWords(name), aOrAn(name)]).toEqual([words, one])
})

it.each([
  ['price_variant.updated', 3, '3 price variants updated'],
  ['customer.created', 1, '1 customer created'],
  ['blog_category.deleted', 2000, '2,000 blog categories deleted'],
  ['task_run.needs_input', 1, '1 task run needs input'],
])('%s of %d is a change in words', (event, count, words) => {
  expect(changeInWords(event, count)).toBe(words)
})
