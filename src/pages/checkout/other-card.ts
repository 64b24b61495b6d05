import { html } from 'hono/html'
import type { BuyerCaller, CustomerCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { everyInterval } from '../../format/intervals.ts'
import { formatUtcDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import type { TestCard } from '../../providers/payments/provider.ts'
import type { Context } from '../../records/context.ts'
import { brandOf } from '../../resources/company/account/brand.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import { takesTestCards } from '../../resources/sales/payment/provider.ts'
import {
  beginChange,
  type CardChangeRow,
  chargedSubscriptions,
  isOpen,
  latestChange,
  lookUpCard,
} from '../../resources/sales/subscription/card.ts'
import type { Subscription } from '../../resources/sales/subscription/subscription.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import { document, type Frame } from '../parts/document.ts'
import { readForm } from '../parts/form.ts'
import { notice, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { cardPart, cardProblem } from './card.ts'
import { CHECKOUT_STYLE } from './stylesheet.ts'

/** The limit on requests to the payment provider about the card of one customer. */
const LOOK_UPS = { name: 'look-ups of cards', perMinute: 20, burst: 5 }
/** The page reloads at this interval while the payment provider has not confirmed the card. */
const RELOAD_SECONDS = 3

export interface CardHolder {
  caller: BuyerCaller | CustomerCaller
  customer: string
  home: string
  address: string
  /** The origin of `home` and `address`, if it is not that of the service. */
  origin?: string
}

export class CardPage extends PageOf<PageParts> {
  /** The only side effect is a request to the payment provider when the buyer returns from the provider's page. */
  get = async (holder: CardHolder, { request }: PageRequest): Promise<Response> => {
    const query = new URL(request.url).searchParams
    const isBack = query.get('payment') === 'done'
    if (isBack) await this.#lookUp(holder)
    const shown = await this.#shown(holder)
    const { change, entering, address } = shown
    if (entering && change?.url === null && query.has('on'))
      return pageAnswer(waitingPage(shown), { refresh: { seconds: RELOAD_SECONDS } })
    if (!entering || change?.url == null || query.get('payment') === 'canceled')
      return isBack ? seeOther(`${address}?saved`) : pageAnswer(cardPage(shown, { news: query.has('saved') }))
    if (isBack) return pageAnswer(enteringPage(shown, change.url), { refresh: { seconds: RELOAD_SECONDS } })
    const goesOn = query.has('on') ? { refresh: { seconds: 0, address: change.url } } : {}
    return pageAnswer(enteringPage(shown, change.url), goesOn)
  }

  post = async (holder: CardHolder, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.parts.bodies, incoming)
    const shown = await this.#shown(holder)
    const { address, cards } = shown
    const card = cards.length > 0 ? (form.get('card') ?? '').trim() : undefined
    const problem = card === undefined ? null : this.parts.services.payments.test.cardProblem(card)
    if (problem !== null)
      return pageAnswer(cardPage(shown, { problems: [cardProblem(card)] }), {
        status: 422,
      })
    try {
      await this.parts.pipeline.visits.act(holder.caller, [], (context) =>
        beginChange(context, {
          customer: holder.customer,
          returnUrl: (holder.origin ?? this.parts.publicUrl) + address,
          ...(card !== undefined && { card }),
        }),
      )
    } catch (error) {
      // The page shows the current state, which explains why the change is not allowed.
      if (!(error instanceof ApiError) || error.code !== 'invalid_state') throw error
    }
    return seeOther(`${address}?${card === undefined ? 'on' : 'saved'}`)
  }

  #shown({ caller, customer, home, address }: CardHolder): Promise<ShownCard> {
    return this.parts.pipeline.visits.look(caller, async (context) => {
      const change = (await latestChange(context, customer)) ?? null
      return {
        frame: await frameOf(context),
        home,
        address,
        subscriptions: await chargedSubscriptions(context, customer),
        change,
        entering: change !== null && isOpen(change, context),
        cards: (await takesTestCards(context)) ? context.services.payments.test.cards : [],
      }
    })
  }

  async #lookUp({ caller, customer }: CardHolder): Promise<void> {
    if ((await this.parts.takeTurn(customer, LOOK_UPS)) > 0) return
    await this.parts.pipeline.visits.act(caller, [], async (context) => {
      const change = await latestChange(context, customer)
      if (change && isOpen(change, context))
        await context.enqueue(lookUpCard, { change: change.id }, { awaited: true, inRealTime: true })
    })
  }
}

async function frameOf(context: Context): Promise<Frame> {
  const account = await currentAccount(context)
  const { name, support_email: email } = account
  const isTest = await takesTestCards(context)
  return { shop: { name, email, brand: await brandOf(context, account) }, test: isTest, style: CHECKOUT_STYLE.address }
}

type SubscriptionRow = Row<typeof Subscription>

interface ShownCard {
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

function cardPage(shown: ShownCard, { news = false, problems = [] }: CardNews): Page {
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

function enteringPage({ frame, address }: ShownCard, url: string): Page {
  const title = 'Continue to the payment provider'
  const content = html`<div class="message"><h1>${title}</h1>
<p role="status">Enter your new card on the payment provider’s page. Nothing is charged there, and your present card is used until the new one is saved.</p>
<p><a class="button primary" href="${url}" rel="noreferrer">Enter the card</a></p>
<p><a href="${address}?payment=canceled">Keep the present card</a></p></div>`
  return document(title, frame, content)
}

function waitingPage({ frame, address }: ShownCard): Page {
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
