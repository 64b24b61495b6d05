import { nounFor } from '../../../../format/counts.ts'
import { isolated } from '../../../../format/direction.ts'
import { durationInWords } from '../../../../format/durations.ts'
import { formatMoney } from '../../../../format/money.ts'
import { changeInWords } from '../../../../format/names.ts'
import { formatNumber } from '../../../../format/numbers.ts'
import { type Fact, type Letter, type Part, type Shop, subjectLine, words } from './letter.ts'

export interface TeamNoticeData {
  letter: 'sales' | 'failed_payments' | 'disputes' | 'refunds'
  count: number
  /** The maximum of `count`; if it is reached, the letter says `or more`. */
  most: number
  sums: { currency: string; amount: number }[]
  /** The newest events first; disputes with the earliest deadline first. */
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

export interface PlansWaitingData {
  account: string
  /** The plans, oldest first. */
  plans: { agent: string | null; counts: Record<string, number> }[]
  /** The page of the plan, or of all open plans if there are several. */
  url: string
  /** The time at which the first plan expires, formatted in the account's time zone. */
  until: string
  pauseMinutes: number
}

const NAMED_PLANS = 10

export function plansWaitingLetter(
  { account, plans, url, until, pauseMinutes }: PlansWaitingData,
  _shop: Shop,
): Letter {
  const single = plans.length === 1
  const agent = plans[0]!.agent ?? 'An agent'
  const heading = single ? `${isolated(agent)} wants to change your shop` : `${plans.length} plans are waiting for you`
  return {
    subject: subjectLine(`${heading}: ${isolated(account)}`),
    preview: summaryOf(plans[0]!.counts),
    heading,
    parts: [
      words(`Nothing has changed yet. Review the changes, and apply or reject them by ${until}:`),
      ...told(plans),
      { kind: 'link', label: single ? 'Review the plan' : 'Review the plans', url },
      words(
        `If there are more plans, we will wait at least ${durationInWords(pauseMinutes * 60)} before e-mailing you again.`,
      ),
    ],
  }
}

function told(plans: PlansWaitingData['plans']): Part[] {
  const named = plans.slice(0, NAMED_PLANS)
  const rows = named.map(({ agent, counts }) => ({ label: agent ?? 'An agent', value: summaryOf(counts) }))
  const more = plans.length - named.length
  return [{ kind: 'facts', rows }, ...(more > 0 ? [words(`… and ${more} more.`)] : [])]
}

function summaryOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([type, count]) => changeInWords(type, count))
    .join(', ')
}

/** The provider that no longer accepts the account's key. */
export interface PaymentsStoppedData {
  account: string
  provider: string
  /** A sentence from the provider. */
  reason: string
  /** Whether the account's new sales were paid through the provider. */
  isCurrent: boolean
  url: string
}

export function paymentsStoppedLetter({ account, provider, reason, isCurrent, url }: PaymentsStoppedData): Letter {
  const heading = subjectLine(`${provider} no longer takes your key: ${isolated(account)}`)
  const stopped = isCurrent
    ? 'Buyers cannot pay by card until you enter a new key. Renewals of subscriptions wait, and buyers get no e-mail about a failed card.'
    : 'Renewals of subscriptions that were sold through it wait, and buyers get no e-mail about a failed card.'
  return {
    subject: heading,
    preview: stopped,
    heading,
    parts: [
      words(reason),
      words(stopped),
      words('Once a new key works, everything that waited goes on by itself within six hours.'),
      { kind: 'link', label: 'Enter a new key', url },
    ],
  }
}
