import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { everyInterval } from '../../format/intervals.ts'
import { formatUtcDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import type { TestCard } from '../../providers/payments/provider.ts'
import type { CardChangeRow } from '../../resources/sales/subscription/card.ts'
import type { Subscription } from '../../resources/sales/subscription/subscription.ts'
import { document, type Frame } from '../parts/document.ts'
import { notice, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { cardPart } from './card.ts'

type SubscriptionRow = Row<typeof Subscription>

export interface ShownCard {
  frame: Frame
  home: string
  address: string
  subscriptions: SubscriptionRow[]
  change: CardChangeRow | null
  /** Whether the buyer may still be entering the new card at the payment provider. */
  entering: boolean
  /** Test cards that can be entered on this page; empty if the payment provider has its own page. */
  cards: readonly TestCard[]
}

interface CardNews {
  /** Whether the buyer has just changed the card, so that the page shows the outcome. */
  news?: boolean
  problems?: readonly Problem[]
}

const TITLE = 'The card of your subscriptions'

export function cardPage(shown: ShownCard, { news = false, problems = [] }: CardNews): Page {
  const { frame, home, address, subscriptions, cards } = shown
  const form = html`${summaryOf(problems)}<form method="post" action="${address}">
${cards.length > 0 ? cardPart({ cards }, problems) : html`<p>You enter the card on the payment provider’s page. Nothing is charged there.</p>`}
<button class="primary" type="submit">Use another card</button></form>`
  const content =
    subscriptions.length === 0
      ? html`<p>You have no subscription that is charged to a card.</p>`
      : html`<p>These are charged to your card:</p><ul class="charged">${subscriptions.map(subscriptionLine)}</ul>${form}`
  return document(
    TITLE,
    frame,
    html`<div class="message">${news ? outcome(shown) : ''}<h1>${TITLE}</h1>
${content}<p><a href="${home}">Your purchases</a></p></div>`,
  )
}

export function enteringPage({ frame, address }: ShownCard, url: string): Page {
  const title = 'Continue to the payment provider'
  const content = html`<div class="message"><h1>${title}</h1>
<p role="status">Enter your new card on the payment provider’s page. Nothing is charged there, and your present card is used until the new one is saved.</p>
<p><a class="button primary" href="${url}" rel="noreferrer">Enter the card</a></p>
<p><a href="${address}?payment=canceled">Keep the present card</a></p></div>`
  return document(title, frame, content)
}

export function waitingPage({ frame, address }: ShownCard): Page {
  const title = 'One moment'
  const content = html`<div class="message"><p class="spinner" aria-hidden="true"></p><h1>${title}</h1>
<p role="status">The payment provider is asked for a page on which you can enter the card.</p>
<p><a href="${address}">Back</a></p></div>`
  return document(title, frame, content)
}

function outcome({ change }: ShownCard): Page {
  if (change?.status === 'saved')
    return notice('good', 'Your new card is saved. Your subscriptions are charged to it from the next payment on.')
  if (change?.status !== 'failed') return html``
  return notice(
    'bad',
    `${change.failure_message ?? 'The card was not saved.'} Your subscriptions keep their present card.`,
  )
}

function subscriptionLine({ terms, amount, currency, quantity, status, current_period_end }: SubscriptionRow): Page {
  const each = formatMoney(amount, currency)
  const times = quantity > 1 ? `${quantity} × ` : ''
  const name = terms.product_name
  return html`<li>${times}${name}<span class="hint">${each} ${everyInterval(terms)}. ${nextWords(status, current_period_end)}</span></li>`
}

function nextWords(status: SubscriptionRow['status'], end: SubscriptionRow['current_period_end']): string {
  if (status === 'past_due') return 'The last payment failed and is tried again.'
  if (status === 'unpaid') return 'The last payment failed; pay it by the link that we e-mailed you.'
  if (status === 'paused') return 'Paused.'
  return end === null ? '' : `Next payment on ${formatUtcDay(end)}.`
}
