import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { currencies } from '../../src/contract/values/values.ts'
import { bodyOf, type EventMessage } from '../../src/events/message.ts'
import { formatMoney, plainAmount } from '../../src/format/money.ts'
import { boundsOf } from '../../src/pages/checkout/problems.ts'
import { amountOf } from '../../src/pages/dashboard/shop/money.ts'
import { amountInWords, type Price } from '../../src/resources/catalog/price-variant/in-words.ts'
import { lineOf } from '../../src/resources/messages/email/templates/sold-line.ts'
import { failedRenewalLetter } from '../../src/resources/messages/email/templates/subscriptions.ts'
import type { PricedLine } from '../../src/resources/sales/checkout/line.ts'
import { termsOf } from '../../src/resources/sales/checkout/terms.ts'

const AMOUNT = 2_900_000

/** Every place that words an amount, by what it says of one in a currency. */
const PLACES: Record<string, (currency: string) => unknown> = {
  'a message in Slack': (currency) => JSON.parse(bodyOf(paid(currency), 'slack')).text,
  'a message in Discord': (currency) => JSON.parse(bodyOf(paid(currency), 'discord')).content,
  'the line of a receipt': (currency) =>
    lineOf({ name: 'Book', quantity: 1, unitAmount: AMOUNT, amount: AMOUNT }, currency).value,
  'the letter about a failed renewal': (currency) =>
    failedRenewalLetter(
      { product: 'Book', amount: AMOUNT, currency, reason: null, nextTryAt: null, accessEndsAt: null, payUrl: '' },
      { name: 'Shop', supportEmail: null, timeZone: 'UTC' } as Parameters<typeof failedRenewalLetter>[1],
    ).preview,
  'the terms of a checkout': (currency) =>
    termsOf({
      items: [{ line: monthly(currency), problem: null, picture: null, changesQuantity: false, asksAmount: false }],
      ...{ discount: null, currency, now: '2026-01-31T10:00:00Z', renewal: null, addedRates: [] },
    }),
  'the bounds of a price': (currency) => boundsOf({ ...monthly(currency), custom: { minimum: AMOUNT, maximum: null } }),
  'the page of a product': (currency) =>
    amountInWords({ amount_type: 'fixed', amount: AMOUNT, currency } as unknown as Price),
  'the dashboard': (currency) => amountOf({ amount: AMOUNT, currency }),
}

describe('An amount in every currency', () => {
  it.each(Object.entries(PLACES))('reads the same in %s', (_, wordsIn) => {
    for (const currency of currencies) {
      const words = String(wordsIn(currency)).replaceAll(/\s/g, ' ')
      expect(words).toContain(formatMoney(AMOUNT, currency).replaceAll(/\s/g, ' '))
    }
  })

  it('has as many decimals in words as in a field', () => {
    for (const currency of currencies) {
      const words = formatMoney(AMOUNT, currency).replaceAll(/[^\d.]/g, '')
      expect([currency, words.replace(/^\./, '')]).toEqual([currency, plainAmount(AMOUNT, currency)])
    }
  })

  it('is worded in one file', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(ts|js|mjs)$/.test(file),
    )
    const own = files.filter((file) => /style: 'currency'/.test(readFileSync(join('src', file), 'utf8')))
    expect(own).toEqual(['format/money.ts'])
  })
})

function paid(currency: string): EventMessage {
  return {
    ...{ id: 'evt_1', type: 'order.paid', description: 'An order was paid.', livemode: true },
    ...{ createdAt: '2026-01-31T10:00:00Z', previousAttributes: null },
    data: { id: 'ord_1', object: 'order', json: '{}', label: null, amount: AMOUNT, currency },
  }
}

function monthly(currency: string): PricedLine {
  const recurring = {
    ...{ interval: 'month', interval_count: 1, installment_count: null },
    ...{ setup_fee_amount: 0, trial_period_days: null },
  }
  return { unit_amount: AMOUNT, quantity: 1, currency, recurring, custom: null } as unknown as PricedLine
}
