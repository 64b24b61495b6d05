import { counted } from '../../../../format/counts.ts'
import { isolated } from '../../../../format/direction.ts'
import { everyInterval } from '../../../../format/intervals.ts'
import { formatDay } from '../../../../format/moments.ts'
import { formatMoney } from '../../../../format/money.ts'
import { type Fact, type Letter, type Part, reach, type Shop, subjectLine, words } from './letter.ts'
import type { RenewalTerms } from './renewal-terms.ts'

/** `bought` lists what was paid at the start, with a link to it. */
export function trialStartedLetter(
  trial: RenewalTerms & { trialEndsAt: string },
  shop: Shop,
  bought: readonly Part[],
): Letter {
  const [product, day] = [isolated(trial.product), formatDay(trial.trialEndsAt, shop.timeZone)]
  return {
    subject: subjectLine(`Your trial of ${product} has started`),
    preview: `Until ${day}`,
    heading: 'Your trial has started',
    parts: [words(`Your trial of ${product} lasts until ${day}.`), ...bought, ...whatFollows(trial, day, shop)],
  }
}

function whatFollows(trial: RenewalTerms, day: string, shop: Shop): Part[] {
  if (trial.nextAt === null) return [words('It ends then and will not continue. Nothing more will be charged.')]
  return [{ kind: 'facts', rows: chargeFacts(trial, day) }, ...howToCancel(day, shop)]
}

function chargeFacts({ amount, currency, card, installmentsLeft, interval, intervalCount }: RenewalTerms, day: string) {
  const every = everyInterval({ interval, interval_count: intervalCount })
  const renews =
    installmentsLeft === null ? `${every} until you cancel` : `${counted(installmentsLeft, 'payment')}, ${every}`
  const rows: Fact[] = [
    { label: 'Trial ends', value: day },
    { label: 'First payment', value: `${formatMoney(amount, currency)} on ${day}` },
    ...(amount === 0 ? [] : [{ label: 'Charged to', value: card ?? 'your saved card' }]),
    ...(installmentsLeft === 1 ? [] : [{ label: 'Repeats', value: renews }]),
  ]
  return rows
}

function howToCancel(day: string, shop: Shop): Part[] {
  const free = `If you cancel before ${day}, that payment is not made.`
  if (shop.purchasesUrl === undefined) return [words(`${free} To cancel, ${reach(shop)}.`)]
  return [
    words(`${free} You can cancel at any time on the page of your purchases.`),
    { kind: 'link', label: 'View or cancel the trial', url: shop.purchasesUrl },
  ]
}
