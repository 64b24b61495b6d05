import { nounFor } from '../../../../format/counts.ts'
import { isolated } from '../../../../format/direction.ts'
import { formatMoney } from '../../../../format/money.ts'
import { formatNumber } from '../../../../format/numbers.ts'
import { type Fact, type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface TeamNoticeData {
  letter: 'sales' | 'failed_payments' | 'disputes' | 'refunds'
  count: number
  /** The maximum of `count`; if it is reached, the letter says `or more`. */
  most: number
  sums: { currency: string; amount: number }[]
  /** The newest events first. */
  latest: Fact[]
  url: string
}

const KINDS: Record<TeamNoticeData['letter'], { one: string; many: string; sum: string; do: string; button: string }> =
  {
    sales: { one: 'sale', many: 'sales', sum: 'Paid', do: 'You sold something.', button: 'View orders' },
    failed_payments: {
      one: 'payment could not be charged',
      many: 'payments could not be charged',
      sum: 'Unpaid',
      do: 'We mail your buyers a payment link and try their cards again for a week.',
      button: 'View what to do',
    },
    disputes: {
      one: 'payment is disputed',
      many: 'payments are disputed',
      sum: 'Disputed',
      do: 'A buyer has asked the bank for the money back. Without an answer in time the money stays with the buyer.',
      button: 'Answer in the dashboard',
    },
    refunds: { one: 'refund', many: 'refunds', sum: 'Refunded', do: 'The money was returned.', button: 'View orders' },
  }

export function teamNoticeLetter({ letter, count, most, sums, latest, url }: TeamNoticeData, shop: Shop): Letter {
  const kind = KINDS[letter]
  const number = count >= most ? `${formatNumber(most)} or more` : formatNumber(count)
  const heading = `${number} ${nounFor(count, kind.one, kind.many)}`
  const totals = sums.map(({ currency, amount }) => formatMoney(amount, currency)).join(', ')
  const more = count - latest.length
  return {
    subject: subjectLine(`${heading}: ${isolated(shop.name)}`),
    preview: `${kind.sum}: ${totals}`,
    heading,
    parts: [
      words(kind.do),
      { kind: 'facts', rows: [{ label: kind.sum, value: totals }, ...latest] },
      ...(more > 0 ? [words(`… and ${formatNumber(more)} more.`)] : []),
      { kind: 'link', label: kind.button, url },
    ],
  }
}
