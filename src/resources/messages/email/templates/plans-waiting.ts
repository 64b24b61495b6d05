import { isolated } from '../../../../format/direction.ts'
import { durationInWords } from '../../../../format/durations.ts'
import { changeInWords } from '../../../../format/names.ts'
import { type Letter, type Part, type Shop, subjectLine, words } from './letter.ts'

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
