import type { BuyerCaller } from '../../contract/caller.ts'
import { requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { comeBack } from '../../resources/sales/checkout/progress.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { act, type Done } from './act.ts'
import { pageAnswer, seeOther } from './answers.ts'
import { BuyerDesk } from './buyer.ts'
import { type Entered, entriesOf } from './entries.ts'
import { readForm } from './form.ts'
import { isOwnForm, type PostLimit } from './guard.ts'
import { type OpenPage, openPage } from './open.ts'
import type { CheckoutPageParts, PageRequest } from './parts.ts'
import { problemsOf } from './problems.ts'
import { failureAnswer, foreignFormAnswer, guessedAnswer, tooManyPosts, unknownAnswer } from './refusals.ts'
import { openParts, type Shown, showAnswer, shownOf } from './show.ts'

/** The page of one checkout, which its buyer reaches by its secret. */
export class CheckoutPage {
  readonly #parts: CheckoutPageParts
  readonly #desk: BuyerDesk
  readonly #limit: PostLimit

  constructor(parts: CheckoutPageParts, limit: PostLimit) {
    this.#parts = parts
    this.#desk = new BuyerDesk(parts)
    this.#limit = limit
  }

  /** Shows it. Nothing is written, but that the provider is asked about a payment whose buyer comes back from there. */
  async get(secret: string, incoming: PageRequest): Promise<Response> {
    return this.#forBuyer(secret, incoming, async (caller, address) => {
      const query = new URL(incoming.request.url).searchParams
      const payment = query.get('payment')
      const [paid, turnedBack] = [payment === 'done', payment === 'canceled']
      if ((paid || turnedBack) && this.#limit.waitSeconds(incoming.address, caller.checkoutId) === 0)
        await this.#cameBack(caller, turnedBack)
      // The address is used once, so that loading the page again ends no other payment.
      if (turnedBack) return seeOther(`${address}?turned_back`)
      const shown = await this.#shown(caller)
      return showAnswer(shown, { onTheWay: query.has('on'), paid, turnedBack: query.has('turned_back') })
    })
  }

  /** Does what the pressed button says, and shows what came of it. */
  async post(secret: string, incoming: PageRequest): Promise<Response> {
    return this.#forBuyer(secret, incoming, async (caller, address) => {
      const { pipeline, publicUrl, bodies } = this.#parts
      if (!isOwnForm(incoming.header, publicUrl)) return foreignFormAnswer(publicUrl + address)
      const wait = this.#limit.waitSeconds(incoming.address, caller.checkoutId)
      if (wait > 0) return tooManyPosts(wait)
      const form = await readForm(bodies, incoming)
      const entered = entriesOf(form, (await this.#shown(caller)).sheet)
      const done = await this.#act(pipeline, caller, form.get('do') ?? '', entered)
      if (done.kind === 'moved') return seeOther(`${address}?on`)
      return this.#again(await this.#shown(caller), entered, done)
    })
  }

  /** What cannot be read is not carried out; except that buttons beside the cart do not wait for an address. */
  #act(pipeline: CheckoutPageParts['pipeline'], caller: BuyerCaller, button: string, { buying, errors }: Entered) {
    const pays = button === 'pay'
    const wrong = Object.entries(errors).filter(([field]) => pays || (field !== 'email' && field !== 'name'))
    const answers = button === 'approve' || button === 'refuse' || button === 'take_back'
    if (wrong.length > 0 && !answers) return { kind: 'refused', errors: Object.fromEntries(wrong) } satisfies Done
    return act(pipeline, caller, button, buying)
  }

  /** The form again, with what was typed and what is wrong or new. */
  #again(shown: Shown, { typed }: Entered, done: Exclude<Done, { kind: 'moved' }>): Promise<Response> {
    if (shown.step.name !== 'open') return Promise.resolve(seeOther(shown.address))
    const parts = openParts(shown)
    if (done.kind === 'refused') {
      const problems = problemsOf(done.errors, shown.sheet)
      return pageAnswer(openPage(shown.sheet, { ...parts, typed, problems }), { status: 422 })
    }
    // What was taken is shown as it is now, not as it was typed.
    const { email, name } = typed
    const left = {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      quantities: {},
      amounts: {},
    }
    const page = openPage(shown.sheet, { ...parts, typed: left, ...newsOf(done) })
    return pageAnswer(page, { status: done.kind === 'to_agree' ? 409 : 200 })
  }

  #shown(caller: BuyerCaller): Promise<Shown> {
    return this.#parts.pipeline.look(caller, (context) => shownOf(context, caller))
  }

  #cameBack(caller: BuyerCaller, turnedBack: boolean): Promise<void> {
    return this.#parts.pipeline.act(caller, SALE_EVENTS, async (context) =>
      comeBack(context, await requireRow(context, Checkout, caller.checkoutId), { turnedBack }),
    )
  }

  async #forBuyer(
    secret: string,
    { address, requestId }: PageRequest,
    answer: (caller: BuyerCaller, address: string) => Promise<Response>,
  ): Promise<Response> {
    const { publicUrl, log } = this.#parts
    const own = `/checkout/${secret}`
    try {
      const buyer = await this.#desk.identify(secret, address)
      if (buyer === null) return unknownAnswer(`${publicUrl}/`)
      if ('waitMs' in buyer) return guessedAnswer(buyer.waitMs)
      return await answer(buyer.caller, own)
    } catch (error) {
      const refusal = await failureAnswer(error, requestId, publicUrl + own)
      if (refusal.status === 500) log.error({ err: error, requestId }, 'A page of a checkout failed unexpectedly')
      return refusal
    }
  }
}

function newsOf(done: { kind: 'changed'; changed: boolean } | { kind: 'to_agree' }): Pick<OpenPage, 'news'> {
  if (done.kind === 'to_agree') {
    const text = 'What you pay has changed. Nothing was charged yet: check the order, then pay again.'
    return { news: { kind: 'plain', text } }
  }
  return done.changed ? { news: { kind: 'good', text: 'Your order was updated.' } } : {}
}
