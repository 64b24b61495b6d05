import type { Shop } from '../../src/resources/messages/email/templates/letter.ts'
import type { InvoiceData } from '../../src/resources/messages/email/templates/orders.ts'
import type { ReceiptData } from '../../src/resources/messages/email/templates/receipt.ts'
import type { FailedRenewalData } from '../../src/resources/messages/email/templates/subscriptions.ts'

/** A shop and its messages, as the rules of sales give them. */
export const SHOP: Shop = { name: 'Ada’s Books', supportEmail: 'help@example.com', timeZone: 'Pacific/Auckland' }

export function receipt(values: Partial<ReceiptData> = {}): ReceiptData {
  return {
    order: 'ord_01k9z6v8q2f3x7c5m1n4b0r8ta',
    isRenewal: false,
    paidAt: '2026-03-13T12:30:00Z',
    currency: 'usd',
    lines: [
      { name: 'Ruby Handbook', quantity: 2, unitAmount: 2900, amount: 5800 },
      { name: 'Tea', quantity: 1, unitAmount: 950, amount: 950 },
    ],
    setupFee: 0,
    discount: { code: 'SPRING', amount: 675 },
    total: 6075,
    renewal: null,
    ...values,
  }
}

export function renewal(values: Partial<NonNullable<ReceiptData['renewal']>> = {}): ReceiptData['renewal'] {
  return {
    product: 'Reading Club',
    amount: 900,
    currency: 'usd',
    interval: 'month',
    intervalCount: 1,
    nextAt: '2026-04-13T12:30:00Z',
    trialEndsAt: null,
    card: null,
    installmentsLeft: null,
    ...values,
  }
}

export function failedRenewal(values: Partial<FailedRenewalData> = {}): FailedRenewalData {
  return {
    product: 'Reading Club',
    amount: 900,
    currency: 'usd',
    reason: 'The card was declined.',
    nextTryAt: '2026-03-16T12:30:00Z',
    accessEndsAt: '2026-04-12T12:30:00Z',
    payUrl: 'https://shop.example/checkout/co_1?secret=a&b=c',
    ...values,
  }
}

export function invoice(values: Partial<InvoiceData> = {}): InvoiceData {
  return {
    number: '#00000042',
    customerName: 'Ada Lovelace',
    description: 'Workshop on 3 May, as agreed.',
    line: { name: 'Workshop', quantity: 3, unitAmount: 1500, amount: 4500 },
    setupFee: 0,
    total: 4500,
    currency: 'kwd',
    dueAt: '2026-03-31T12:00:00Z',
    paymentUrl: 'https://shop.example/invoices/inv_1',
    ...values,
  }
}
