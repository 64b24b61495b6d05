import { describe, expect, it } from 'vitest'
import { formConfirmationLetter, formNoticeLetter } from '../../src/resources/messages/email/templates/forms.ts'
import { letterHtml } from '../../src/resources/messages/email/templates/html.ts'
import type { Letter, Shop } from '../../src/resources/messages/email/templates/letter.ts'
import { invoiceLetter } from '../../src/resources/messages/email/templates/orders.ts'
import { receiptLetter } from '../../src/resources/messages/email/templates/receipt.ts'
import { failedRenewalLetter } from '../../src/resources/messages/email/templates/subscriptions.ts'
import { taskFailureLetter } from '../../src/resources/messages/email/templates/tasks.ts'
import { letterText } from '../../src/resources/messages/email/templates/text.ts'
import { failedRenewal, invoice, receipt, renewal, SHOP } from './letters.ts'

const textOf = (letter: Letter, shop: Shop = SHOP) => letterText(letter, shop).replaceAll('\u00a0', ' ')
/** What a reader of the HTML sees. */
const seen = (letter: Letter, shop: Shop = SHOP) =>
  letterHtml(letter, shop)
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u200c]+/g, ' ')

const NOTICE = {
  form: 'Newsletter',
  submittedAt: '2026-03-13T12:30:00Z',
  answers: [
    { label: 'Email', value: 'ada@example.com' },
    { label: 'Topics', value: 'Ruby, Tea' },
  ],
}

const FAILURE = {
  task: 'Pack orders <b>',
  error: 'undefined method upcase for nil (line 3 of the prompt)',
  summary: 'Packed & labelled 2 of 3.\n',
  url: 'https://shop.example/dashboard/adas-books/task_runs/atrun_1',
}

const LETTERS: [string, Letter][] = [
  ['receipt', receiptLetter(receipt({ renewal: renewal() }), SHOP)],
  ['failed renewal', failedRenewalLetter(failedRenewal(), SHOP)],
  ['invoice', invoiceLetter(invoice(), SHOP)],
  [
    'confirmation',
    formConfirmationLetter({ form: 'Newsletter', confirmUrl: 'https://shop.example/forms/confirm/x' }, SHOP),
  ],
  ['notice of a submission', formNoticeLetter(NOTICE, SHOP)],
  ['failed run', taskFailureLetter(FAILURE)],
]

describe('A letter about a failed run', () => {
  it('says why, what was printed, and where the run is', () => {
    expect(textOf(taskFailureLetter(FAILURE))).toBe(`Ada’s Books

Pack orders <b> failed

undefined method upcase for nil (line 3 of the prompt)

It had printed:

Packed & labelled 2 of 3.

View the run: https://shop.example/dashboard/adas-books/task_runs/atrun_1

If more of its runs fail, we will wait at least a day before e-mailing you about this task again. The account’s settings can turn these e-mails off.

Questions? Please e-mail help@example.com.
`)
  })

  it('says the same in HTML, with the link, and takes nothing for markup', () => {
    const html = letterHtml(taskFailureLetter(FAILURE), SHOP)
    expect(html).toContain('href="https://shop.example/dashboard/adas-books/task_runs/atrun_1"')
    expect(html).toContain('Pack orders &lt;b&gt;')
    expect(html).not.toContain('<b>')
    for (const words of [
      'for nil (line 3 of the prompt)',
      'It had printed:',
      'Packed &amp; labelled 2 of 3.',
      'View the run',
    ])
      expect(seen(taskFailureLetter(FAILURE))).toContain(words)
  })

  it('needs neither a reason nor a summary, and shortens a long one', () => {
    const bare = textOf(taskFailureLetter({ ...FAILURE, error: null, summary: '\n' }))
    expect(bare).toContain('The run did not say why.')
    expect(bare).not.toContain('printed')
    expect(textOf(taskFailureLetter({ ...FAILURE, summary: 'x'.repeat(20_000) })).length).toBeLessThan(3_000)
  })
})

describe('A receipt', () => {
  it('names what was bought, what it cost and when, on the shop’s day', () => {
    expect(textOf(receiptLetter(receipt(), SHOP))).toBe(`Ada’s Books

Thank you for your order

Date: 14 March 2026
Order: ord_01k9z6v8q2f3x7c5m1n4b0r8ta

2 × Ruby Handbook ($29.00 each): $58.00
Tea: $9.50
Subtotal: $67.50
Discount SPRING: −$6.75
Total paid: $60.75

Questions? Please e-mail help@example.com.
`)
  })

  it('is short where one thing was bought at its price', () => {
    const lines = [{ name: 'Tea', quantity: 1, unitAmount: 950, amount: 950 }]
    const text = textOf(receiptLetter(receipt({ lines, discount: null, total: 950, currency: 'jpy' }), SHOP))
    expect(text).toContain('\n\nTea: ¥950\nTotal paid: ¥950\n\n')
  })

  it('shows a set-up fee, and a discount without a code', () => {
    const text = textOf(receiptLetter(receipt({ setupFee: 500, discount: { code: null, amount: 1 } }), SHOP))
    expect(text).toContain('Subtotal: $67.50\nOne-time setup fee: $5.00\nDiscount: −$0.01\nTotal paid: $60.75')
  })

  it.each([
    [
      {},
      'Reading Club renews at $9.00 every month until you cancel. The next payment is on 14 April 2026. To cancel, e-mail help@example.com.',
    ],
    [
      { installmentsLeft: 3, intervalCount: 2 },
      '3 more payments for Reading Club will follow: $9.00 every 2 months. The next is on 14 April 2026.',
    ],
    [{ installmentsLeft: 1 }, 'One more payment for Reading Club will follow: $9.00 on 14 April 2026.'],
    [{ nextAt: null }, 'This was the last payment for Reading Club. Nothing more will be charged.'],
  ])('says how a subscription goes on (%j)', (values, sentence) => {
    const letter = receiptLetter(receipt({ renewal: renewal(values) }), SHOP)
    expect(textOf(letter)).toContain(`\n\n${sentence}\n\n`)
    expect(receiptLetter(receipt({ isRenewal: true }), SHOP).heading).toBe('Your subscription was renewed')
  })
})

describe('The message about a failed renewal', () => {
  it('says what failed, what is owed, where to pay and what follows', () => {
    const letter = failedRenewalLetter(failedRenewal(), SHOP)
    expect(letter.subject).toBe('Your payment for Reading Club failed')
    expect(textOf(letter)).toBe(`Ada’s Books

Your payment failed

We could not renew Reading Club. The card was declined.

Amount: $9.00
Next attempt: 17 March 2026
Access until: 13 April 2026

Pay $9.00: https://shop.example/checkout/co_1?secret=a&b=c

We will try again on 17 March 2026. If your card works by then, you do not need to do anything. Without a payment, your access ends on 13 April 2026.

Questions? Please e-mail help@example.com.
`)
  })

  it('says when nothing follows by itself', () => {
    const letter = failedRenewalLetter(failedRenewal({ nextTryAt: null, accessEndsAt: null, reason: null }), SHOP)
    expect(textOf(letter)).toContain('We could not renew Reading Club.\n\nAmount: $9.00\n\nPay')
    expect(textOf(letter)).toContain('We will not try again automatically. Your access has ended.')
  })
})

describe('The message with an invoice', () => {
  it('names number, what for, amount, due date and where to pay', () => {
    const letter = invoiceLetter(invoice(), SHOP)
    expect(letter.subject).toBe('Invoice #00000042 from Ada’s Books')
    expect(textOf(letter)).toBe(`Ada’s Books

Invoice #00000042

Billed to: Ada Lovelace
Due: 1 April 2026

Workshop on 3 May, as agreed.

3 × Workshop (KWD 1.500 each): KWD 4.500
Total due: KWD 4.500

Pay KWD 4.500: https://shop.example/invoices/inv_1

Questions? Please e-mail help@example.com.
`)
  })

  it('leaves out what is not known, and shows a set-up fee', () => {
    const letter = invoiceLetter(invoice({ customerName: null, description: null, setupFee: 500 }), SHOP)
    expect(textOf(letter)).toContain('Invoice #00000042\n\nDue: 1 April 2026\n\n3 × Workshop')
    expect(textOf(letter)).toContain('Subtotal: KWD 4.500\nOne-time setup fee: KWD 0.500\nTotal due')
  })
})

describe('The messages of forms', () => {
  it('ask the owner of an address, who may not know of it', () => {
    const data = { form: 'Newsletter', confirmUrl: 'https://shop.example/forms/confirm/x?a=b&c=d' }
    const letter = formConfirmationLetter(data, SHOP)
    expect(letter.subject).toBe('Please confirm: Newsletter')
    expect(textOf(letter)).toBe(`Ada’s Books

Please confirm your e-mail address

Your address was entered in the form “Newsletter” from Ada’s Books. Please confirm that it was you.

Confirm my e-mail address: https://shop.example/forms/confirm/x?a=b&c=d

If it was not you, ignore this message. You will not receive anything else because of this form.

Questions? Please e-mail help@example.com.
`)
  })

  it('tell who looks after a form what was answered', () => {
    const letter = formNoticeLetter(NOTICE, SHOP)
    expect(letter.subject).toBe('New submission: Newsletter')
    expect(textOf(letter)).toContain('Date: 14 March 2026\nEmail: ada@example.com\nTopics: Ruby, Tea')
  })
})

describe.each(LETTERS)('The HTML of a %s', (_name, letter) => {
  it('says what the text says', () => {
    const html = seen(letter).replaceAll('&amp;', '&')
    for (const part of letter.parts) {
      if (part.kind === 'words') expect(html).toContain(part.words)
      if (part.kind === 'facts') for (const { label, value } of part.rows) expect(html).toContain(`${label} ${value}`)
      if (part.kind === 'lines')
        for (const { label, value } of part.totals)
          expect(html).toContain(`${label} ${value.replaceAll('\u00a0', ' ')}`)
    }
    expect(html).toContain('Questions? Please e-mail help@example.com.')
  })

  it('loads nothing, runs nothing and begins with the preview', () => {
    const html = letterHtml(letter, SHOP)
    expect(html).not.toMatch(/<(script|img|link|iframe|form)\b|\bsrc=|url\(|@import|javascript:/i)
    expect(seen(letter).trim().startsWith(letter.preview.replaceAll('\u00a0', ' '))).toBe(true)
  })
})
