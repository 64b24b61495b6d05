import { describe, expect, it } from 'vitest'
import { everyInterval } from '../../src/format/intervals.ts'
import { formatDay } from '../../src/format/moments.ts'
import { letterHtml } from '../../src/resources/messages/email/templates/html.ts'
import type { Letter } from '../../src/resources/messages/email/templates/letter.ts'
import { invoiceLetter } from '../../src/resources/messages/email/templates/orders.ts'
import { receiptLetter } from '../../src/resources/messages/email/templates/receipt.ts'
import { failedRenewalLetter } from '../../src/resources/messages/email/templates/subscriptions.ts'
import { failedRenewal, invoice, receipt, renewal, SHOP } from './letters.ts'

describe('Values of a message', () => {
  const evil = `<script>alert(1)</script>"'&`
  const shop = { name: evil, supportEmail: null, timeZone: 'UTC' }
  const line = { name: evil, quantity: 2, unitAmount: 1, amount: 2 }

  it.each<[string, Letter]>([
    [
      'receipt',
      receiptLetter(
        receipt({
          order: evil,
          lines: [line],
          discount: { code: evil, amount: 1 },
          renewal: renewal({ product: evil }),
        }),
        shop,
      ),
    ],
    [
      'failed renewal',
      failedRenewalLetter(failedRenewal({ product: evil, reason: evil, payUrl: `https://x/"${evil}` }), shop),
    ],
    [
      'invoice',
      invoiceLetter(
        invoice({ number: evil, customerName: evil, description: evil, line, paymentUrl: `https://x/"${evil}` }),
        shop,
      ),
    ],
  ])('are words and never markup, in a %s', (_name, letter) => {
    const html = letterHtml(letter, shop)
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(html.match(/href="[^"]*"/g)?.length ?? 0).toBe(letter.parts.filter(({ kind }) => kind === 'link').length)
  })

  it('break no line of the subject and fit into it', () => {
    const letter = failedRenewalLetter(failedRenewal({ product: `Club\r\nBcc: x@y.z ${'é🎉'.repeat(200)}` }), SHOP)
    expect(letter.subject).toMatch(/^Your payment for Club Bcc: x@y\.z é/)
    expect(letter.subject.length).toBeLessThanOrEqual(200)
    expect(letter.subject.isWellFormed()).toBe(true)
  })
})

describe('Days and intervals', () => {
  it.each([
    ['2026-03-13T12:30:00Z', 'UTC', '13 March 2026'],
    ['2026-03-13T12:30:00Z', 'Pacific/Auckland', '14 March 2026'],
    ['2026-01-01T01:00:00Z', 'America/New_York', '31 December 2025'],
  ])('of %s in %s is %s', (at, zone, day) => expect(formatDay(at, zone)).toBe(day))

  it('are said in words', () => {
    const rhythms = [
      { interval: 'month', interval_count: 1 },
      { interval: 'week', interval_count: 2 },
    ] as const
    expect(rhythms.map(everyInterval)).toEqual(['every month', 'every 2 weeks'])
  })
})
