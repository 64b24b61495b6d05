import { DAY_MS, laterBy } from '../../../contract/values/values.ts'
import { formatMoment } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Context } from '../../../records/context.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { buyersShop, shopOf } from '../../messages/email/service-mail.ts'
import { isTeamLetter } from '../../messages/email/team/letters.ts'
import { letterHtml } from '../../messages/email/templates/html.ts'
import type { Letter, Shop } from '../../messages/email/templates/letter.ts'
import { failedOrderLetter, invoiceLetter, refundedLetter } from '../../messages/email/templates/orders.ts'
import { receiptLetter } from '../../messages/email/templates/receipt.ts'
import {
  canceledLetter,
  comingChargeLetter,
  failedRenewalLetter,
} from '../../messages/email/templates/subscriptions.ts'
import { plansWaitingLetter, type TeamNoticeData, teamNoticeLetter } from '../../messages/email/templates/team.ts'
import { letterText } from '../../messages/email/templates/text.ts'

const BUYER = 'ada@example.com'
const EXAMPLE_CUSTOMER = 'cus_01k9z6v8q2f3x7c5m1n4b0r8ta'

/** Sample values for a preview, taken from the account's own data where it has any. */
interface ExampleData {
  shop: Shop
  product: string
  amount: number
  currency: string
  order: string
  url: string
  at: (days: number) => string
}

/** Shows an automatic e-mail with example data. */
export const letterPreview = dashboardRead('account.read', async (context, letter: Preview) => {
  const example = await exampleOf(context, letter)
  const written = LETTERS[letter](example)
  const shop = isTeamLetter(letter) ? { ...example.shop, stopUrl: example.url } : example.shop
  return { letter, subject: written.subject, text: letterText(written, shop), html: letterHtml(written, shop) }
})

async function exampleOf(context: Context, letter: Preview): Promise<ExampleData> {
  const account = await currentAccount(context)
  const newest = rowsOf(context, 'products').select('name').orderBy('id', 'desc').limit(1)
  return {
    shop: isTeamLetter(letter) ? shopOf(account) : await buyersShop(context, account, EXAMPLE_CUSTOMER),
    product: (await newest.executeTakeFirst())?.name ?? 'Reading Club',
    amount: 2900,
    currency: account.default_currency,
    order: 'ord_01k9z6v8q2f3x7c5m1n4b0r8ta',
    url: `${context.publicUrl}/`,
    at: (days) => laterBy(context.now, days * DAY_MS),
  }
}

const MONTHLY = { interval: 'month', intervalCount: 1 } as const
const YEARLY = { interval: 'year', intervalCount: 1 } as const

const LETTERS = {
  receipt: ({ shop, product, amount, currency, order, at }) =>
    receiptLetter(
      {
        ...{ order, currency, isRenewal: false, paidAt: at(0), setupFee: 0, discount: null, total: amount },
        lines: [{ name: product, quantity: 1, unitAmount: amount, amount }],
        renewal: { ...renewalOf({ product, amount, currency }), nextAt: at(30), trialEndsAt: null },
      },
      shop,
    ),
  invoice: ({ shop, product, amount, currency, url, at }) =>
    invoiceLetter(
      {
        ...{ number: '#00000042', description: null, currency, customerName: 'Ada Lovelace', setupFee: 0 },
        line: { name: product, quantity: 1, unitAmount: amount, amount },
        ...{ total: amount, dueAt: at(14), paymentUrl: url },
      },
      shop,
    ),
  failed_payment: ({ shop, product, amount, currency, url, at }) => {
    const reason = 'There was not enough money in your account.'
    const data = { product, amount, currency, reason, nextTryAt: at(2), accessEndsAt: at(29), payUrl: url }
    return failedRenewalLetter(data, shop)
  },
  payment_again: ({ shop, product, amount, currency, url, at }) =>
    failedOrderLetter({ name: product, amount, currency, payUrl: url, until: at(1) }, shop),
  refund: ({ shop, product, amount, currency, order, at }) =>
    refundedLetter({ order, name: product, amount, currency, refundedAt: at(0), isWhole: true }, shop),
  renewal: ({ shop, product, amount, currency, at }) =>
    comingChargeLetter({ product, endsTrial: false, amount, currency, ...YEARLY, chargedAt: at(30) }, shop),
  trial_start: ({ shop, product, amount, currency, order, at }) =>
    receiptLetter(
      {
        ...{ order, currency, isRenewal: false, paidAt: at(0), lines: [], setupFee: 0, discount: null, total: 0 },
        renewal: { ...renewalOf({ product, amount, currency }), nextAt: at(14), trialEndsAt: at(14) },
      },
      shop,
    ),
  trial: ({ shop, product, amount, currency, at }) =>
    comingChargeLetter({ product, endsTrial: true, amount, currency, ...MONTHLY, chargedAt: at(7) }, shop),
  cancellation: ({ shop, product, at }) =>
    canceledLetter({ product, endsAt: at(12), isOver: false, isUnpaid: false, inTrial: false }, shop),
  sales: (example) => notice(example, 'sales', ''),
  failed_payments: (example) => notice(example, 'failed_payments', ': The card has expired.'),
  disputes: (example) =>
    notice(example, 'disputes', `: answer by ${formatMoment(example.at(7), example.shop.timeZone)}`),
  refunds: (example) => notice(example, 'refunds', ': duplicate'),
  plans: ({ shop, url, at }) =>
    plansWaitingLetter(
      {
        account: shop.name,
        plans: [{ agent: 'My agent', counts: { 'product.updated': 3 } }],
        ...{ url, until: formatMoment(at(3), shop.timeZone), pauseMinutes: 5 },
      },
      shop,
    ),
} as const satisfies Record<string, (example: ExampleData) => Letter>
export type Preview = keyof typeof LETTERS

function renewalOf(sold: Pick<ExampleData, 'product' | 'amount' | 'currency'>) {
  return { ...sold, ...MONTHLY, installmentsLeft: null, card: 'Visa ending in 4242' }
}

function notice({ shop, amount, currency, url }: ExampleData, letter: TeamNoticeData['letter'], why: string): Letter {
  const value = formatMoney(amount, currency)
  const latest = [{ label: BUYER, value: `${value}${why}` }]
  return teamNoticeLetter({ letter, count: 1, most: 1000, sums: [{ currency, amount }], latest, url }, shop)
}
