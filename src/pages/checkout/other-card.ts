import type { BuyerCaller, CustomerCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Context } from '../../records/context.ts'
import { brandOf } from '../../resources/company/account/brand.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import { takesTestCards } from '../../resources/sales/payment/provider.ts'
import {
  beginChange,
  chargedSubscriptions,
  isOpen,
  latestChange,
  lookUpCard,
} from '../../resources/sales/subscription/card.ts'
import type { Frame } from '../parts/document.ts'
import { type PageParts, type PageRequest, pageAnswer, readForm, seeOther } from '../parts/parts.ts'
import { cardProblem } from './card.ts'
import { cardPage, enteringPage, type ShownCard, waitingPage } from './other-card-page.ts'
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

export class CardPage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

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
    const form = await readForm(this.#parts.bodies, incoming)
    const shown = await this.#shown(holder)
    const { address, cards } = shown
    const card = cards.length > 0 ? (form.get('card') ?? '').trim() : undefined
    const problem = card === undefined ? null : this.#parts.services.payments.test.cardProblem(card)
    if (problem !== null)
      return pageAnswer(cardPage(shown, { problems: [cardProblem(card)] }), {
        status: 422,
      })
    try {
      await this.#parts.pipeline.visits.act(holder.caller, [], (context) =>
        beginChange(context, {
          customer: holder.customer,
          returnUrl: (holder.origin ?? this.#parts.publicUrl) + address,
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
    return this.#parts.pipeline.visits.look(caller, async (context) => {
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
    if ((await this.#parts.takeTurn(customer, LOOK_UPS)) > 0) return
    await this.#parts.pipeline.visits.act(caller, [], async (context) => {
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
