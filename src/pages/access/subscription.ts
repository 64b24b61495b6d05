import { html } from 'hono/html'
import { ApiError } from '../../contract/declarations/errors.ts'
import { formatDay } from '../../format/moments.ts'
import type { Context } from '../../records/context.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import type { Action } from '../../resources/sales/subscription/actions.ts'
import {
  actAsBuyer,
  BUYER_ACTION_EVENTS,
  buyerActions,
  ownSubscription,
} from '../../resources/sales/subscription/by-buyer.ts'
import { seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import { notice, type Page } from '../parts/markup.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { accessAnswer, wayHome } from './page.ts'
import { nextPaymentOf, nextWords, payUrlOf, termsWords } from './purchases.ts'
import type { Buyer } from './session.ts'

/** The maximum length of the reason for canceling, which is the same as in the API. */
const MAX_REASON = 500

export class SubscriptionPage extends PageOf<PageParts> {
  get = (buyer: Buyer, { request }: PageRequest, id: string): Promise<Response> => {
    const done = new URL(request.url).searchParams.get('done')
    return this.parts.pipeline.visits.look(buyer.caller, (context) => shown(context, buyer, { id, done }))
  }

  post = async (buyer: Buyer, incoming: PageRequest, id: string): Promise<Response> => {
    const form = await readForm(this.parts.bodies, incoming)
    const action = form.get('do') ?? ''
    const reason = form.get('reason')?.trim().slice(0, MAX_REASON) || null
    const address = `${buyer.path}/subscriptions/${id}`
    if (!isAction(action)) return seeOther(address)
    try {
      await this.parts.pipeline.visits.act(buyer.caller, BUYER_ACTION_EVENTS, async (context) =>
        actAsBuyer(context, await ownSubscription(context, buyer.customer.id, id), action, reason),
      )
    } catch (error) {
      // The redirect shows the current state, which explains why the action is not allowed.
      if (error instanceof ApiError && error.code === 'invalid_state') return seeOther(address)
      throw error
    }
    return seeOther(`${address}?done=${action}`)
  }
}

function isAction(given: string): given is Action {
  return given === 'cancel' || given === 'pause' || given === 'resume'
}

async function shown(
  context: Context,
  { customer, path }: Buyer,
  { id, done }: { id: string; done: string | null },
): Promise<Response> {
  const subscription = await ownSubscription(context, customer.id, id)
  const { timezone: timeZone } = await currentAccount(context)
  const actions = await buyerActions(context, subscription)
  const payUrl = await payUrlOf(context, subscription)
  const next = await nextPaymentOf(context, subscription)
  const { status, current_period_end: end, ends_at } = subscription
  const runs = (status === 'active' || status === 'trialing') && end !== null && end > context.now
  const until = runs ? `It stays yours until ${formatDay(end, timeZone)}; then it ends.` : 'It ends at once.'
  const address = `${path}/subscriptions/${id}`
  const isCharged = status !== 'canceled' && ends_at === null
  const content = html`${done !== null && isAction(done) ? notice('good', DONE_MESSAGES[done]) : ''}
<p class="lead">${termsWords(subscription)}. ${nextWords(subscription, next, { timeZone, now: context.now })}</p>
${payUrl === null ? '' : html`<p class="way"><a class="button primary" href="${payUrl}">Pay now</a></p>`}
${isCharged ? html`<p class="way"><a href="${path}/card">Change the card</a></p>` : ''}
${actions.includes('resume') ? resumePart(address, end !== null && end <= context.now) : ''}
${actions.includes('pause') ? pausePart(address) : ''}
${actions.includes('cancel') ? cancelPart(address, until) : ''}${wayHome(path)}`
  return accessAnswer(context, { title: subscription.terms.product_name, content })
}

const DONE_MESSAGES: Record<Action, string> = {
  cancel: 'Your subscription is canceled. Nothing more will be charged.',
  pause: 'Your subscription is paused.',
  resume: 'Your subscription goes on.',
}

function resumePart(address: string, isOver: boolean): Page {
  const words = isOver ? 'A new period begins now and is charged to your card.' : 'It goes on as before.'
  return html`<h2>Resume</h2><form class="narrow" method="post" action="${address}"><p class="hint">${words}</p>
<button type="submit" name="do" value="resume">Resume the subscription</button></form>`
}

function pausePart(address: string): Page {
  return html`<h2>Pause</h2><form class="narrow" method="post" action="${address}"><p class="hint">Nothing is charged until you resume. You have access until the period that is paid is over.</p>
<button type="submit" name="do" value="pause">Pause the subscription</button></form>`
}

function cancelPart(address: string, until: string): Page {
  return html`<h2>Cancel</h2><form class="narrow" method="post" action="${address}"><p class="hint">${until} Nothing is refunded.</p>
<div class="field"><label for="reason">Why? <span class="optional">optional</span></label>
<textarea id="reason" name="reason" rows="3" maxlength="${MAX_REASON}"></textarea></div>
<button type="submit" name="do" value="cancel">Cancel the subscription</button></form>`
}
