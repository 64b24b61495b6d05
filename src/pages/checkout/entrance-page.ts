import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { checkoutIdOf, clientSecret } from '../../resources/sales/checkout/show.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { closedPage } from '../parts/closed.ts'
import { type PageParts, type PageRequest, pageAnswer, readForm, seeOther } from '../parts/parts.ts'
import { actIn, type FormResult, refusedOf } from './act.ts'
import { changedAnswer, formErrors, refusedAnswer } from './again.ts'
import type { CheckoutPage } from './checkout.ts'
import type { Draft, Entrance } from './entrance.ts'
import { entriesOf, type FormEntries } from './entries.ts'
import { openAnswer } from './open.ts'
import type { ProgramPayments } from './program.ts'
import { checkoutCookieHeader, rememberedSecret, withNameCookie } from './remembered.ts'
import { checkoutViewOf, openParts } from './show.ts'

type OpenDraft = Extract<Draft, { kind: 'open' }>

/** The page of a link, price or invoice for buyers without a checkout. The buyer's first action opens the checkout. */
export class EntrancePage {
  readonly #parts: PageParts
  readonly #checkouts: CheckoutPage
  readonly #programs: ProgramPayments

  constructor(parts: PageParts, checkouts: CheckoutPage, programs: ProgramPayments) {
    this.#parts = parts
    this.#checkouts = checkouts
    this.#programs = programs
  }

  /** Writes nothing unless a software client pays, because mail programs and browsers prefetch such URLs. */
  get = async (entrance: Entrance, incoming: PageRequest): Promise<Response> => {
    const answered = entrance.counter ? await this.#programs.answer(entrance.counter, incoming) : null
    if (answered) return answered
    const open = await this.#opened(entrance, incoming)
    if (open) return this.#goTo(open)
    const draft = await this.#draft(entrance)
    if (draft.kind !== 'open') return this.#elsewhere(entrance, draft)
    return openAnswer(draft.sheet, { ...draft.page, address: entrance.address })
  }

  post = async (entrance: Entrance, incoming: PageRequest): Promise<Response> => {
    const refused = this.#programs.refusePost(incoming)
    if (refused) return refused
    const form = await readForm(this.#parts.bodies, incoming)
    const open = await this.#opened(entrance, incoming)
    if (open) return this.#checkouts.act(open, form)
    const draft = await this.#draft(entrance)
    if (draft.kind === 'checkout') return this.#checkouts.act(callerOf(entrance, draft.checkoutId), form)
    if (draft.kind !== 'open') return this.#elsewhere(entrance, draft)
    return this.#begin(entrance, draft, form)
  }

  async #begin(entrance: Entrance, draft: OpenDraft, form: URLSearchParams): Promise<Response> {
    const { sheet } = draft
    const page = { ...draft.page, address: entrance.address }
    const entered = entriesOf(form, sheet)
    const button = form.get('do') ?? ''
    const errors = formErrors(button, entered, sheet, page.buyer.email)
    if (Object.keys(errors).length > 0) return refusedAnswer(sheet, page, entered, errors)
    const begun = await this.#openAndAct(entrance, button, entered)
    if (begun.caller !== null) return this.#afterBegin(entrance, begun.caller, entered, begun.done)
    return begun.done.kind === 'refused'
      ? refusedAnswer(sheet, page, entered, begun.done.errors)
      : seeOther(entrance.address)
  }

  /** Runs in one transaction, so that a rejected action leaves no checkout. */
  async #openAndAct(entrance: Entrance, button: string, { buying }: FormEntries) {
    const caller = callerOf(entrance, entrance.id)
    try {
      return await this.#parts.pipeline.visits.actAsOutsider(
        caller,
        [...SALE_EVENTS, 'checkout.created'],
        async (context) => {
          const checkout = await entrance.open(context)
          return { caller: callerOf(entrance, checkout.id), done: await actIn(context, checkout, button, buying) }
        },
      )
    } catch (error) {
      const refused = refusedOf(error)
      if (refused === null) throw error
      return { caller: null, done: refused }
    }
  }

  async #afterBegin(
    entrance: Entrance,
    caller: BuyerCaller,
    entered: FormEntries,
    done: FormResult,
  ): Promise<Response> {
    const shown = await this.#look(caller, (context) => checkoutViewOf(context, caller))
    const secret = shown.address.slice(shown.address.lastIndexOf('/') + 1)
    const { publicUrl } = this.#parts
    const headers = checkoutCookieHeader(secret, entrance.address, publicUrl)
    const again = done.kind === 'changed' || done.kind === 'to_agree'
    if (!again || shown.step.name !== 'open') {
      const onTheWay = seeOther(`${shown.address}?on`, headers)
      return withNameCookie(onTheWay, entered.typed.name, shown.address, publicUrl)
    }
    return changedAnswer(shown.sheet, openParts(shown), entered, done, headers)
  }

  /** Returns the open checkout that this browser started earlier from the same link, price or invoice, or null. */
  async #opened(entrance: Entrance, { header }: PageRequest): Promise<BuyerCaller | null> {
    const secret = rememberedSecret(header)
    const checkoutId = secret && checkoutIdOf(this.#parts, secret)
    if (!checkoutId) return null
    const caller = callerOf(entrance, checkoutId)
    const checkout = await this.#look(caller, (context) => findRow(context, Checkout, checkoutId))
    const same = checkout?.link === entrance.id || checkout?.invoice === entrance.id
    return checkout?.status === 'open' && same ? caller : null
  }

  #elsewhere(entrance: Entrance, draft: Exclude<Draft, OpenDraft>): Promise<Response> | Response {
    if (draft.kind === 'checkout') return this.#goTo(callerOf(entrance, draft.checkoutId))
    return pageAnswer(closedPage(draft.page), { status: draft.status })
  }

  #goTo({ checkoutId }: BuyerCaller): Response {
    return seeOther(`/checkout/${clientSecret(this.#parts, checkoutId)}`)
  }

  #draft(entrance: Entrance): Promise<Draft> {
    return this.#look(callerOf(entrance, entrance.id), (context) => entrance.draft(context))
  }

  #look<Value>(caller: BuyerCaller, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.#parts.pipeline.visits.look(caller, work)
  }
}

/** Before a checkout exists, `checkoutId` is the id of the link, price or invoice. */
function callerOf({ accountId }: Entrance, checkoutId: string): BuyerCaller {
  return { kind: 'buyer', accountId, checkoutId }
}
