import { storedCheckout } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { decode } from '../../records/columns.ts'
import { cacheRow, requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { readAhead } from '../../resources/sales/checkout/pay.ts'
import { comeBack } from '../../resources/sales/checkout/progress.ts'
import { checkoutIdOf, clientSecret } from '../../resources/sales/checkout/show.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { act, actIn, type FormResult } from './act.ts'
import { changedAnswer, formErrors, refusedAnswer } from './again.ts'
import { entriesOf, type FormEntries } from './entries.ts'
import { ProgramPayments } from './program.ts'
import { checkoutCounter } from './program-purchase.ts'
import { rememberedName, withNameCookie } from './remembered.ts'
import {
  type CheckoutState,
  type CheckoutView,
  checkoutStateOf,
  checkoutViewOf,
  openParts,
  showAnswer,
} from './show.ts'

type CheckoutRow = Row<typeof Checkout>

/** The limit on requests to the payment provider for one checkout. The page of a pending payment reloads every three seconds. */
const LOOK_UPS = { name: 'look-ups of payments', perMinute: 20, burst: 5 }

export interface CheckoutVisitor {
  caller: BuyerCaller
  stored: NonNullable<Awaited<ReturnType<typeof storedCheckout>>>
}

/** Returns the visitor of the checkout with this secret, or null if the secret is wrong. */
export async function visitorBySecret(parts: PageParts, secret: string): Promise<CheckoutVisitor | null> {
  const checkoutId = checkoutIdOf(parts, secret)
  const stored = checkoutId && (await storedCheckout(parts.database.read, checkoutId))
  return stored ? { caller: { kind: 'buyer', accountId: stored.account_id, checkoutId: stored.id }, stored } : null
}

export class CheckoutPage extends PageOf<PageParts> {
  readonly #programs = new ProgramPayments(this.parts)

  /** The only side effect, besides payments by x402, is a request to the payment provider when the buyer returns from its page. */
  get = async (arrived: CheckoutVisitor, incoming: PageRequest): Promise<Response> => {
    return (await this.#programs.answer(checkoutCounter(arrived.caller), incoming)) ?? this.#page(arrived, incoming)
  }

  async #page({ caller, stored }: CheckoutVisitor, { request, header }: PageRequest): Promise<Response> {
    const query = new URL(request.url).searchParams
    const payment = query.get('payment')
    const [paid, turnedBack] = [payment === 'done', payment === 'canceled']
    const comesBack = paid || turnedBack
    if (comesBack) await this.#cameBack(caller, turnedBack)
    const shown = await this.#shown(caller, comesBack ? undefined : stored)
    // Redirects to a URL without the parameter that cancels a payment, because reloading this URL would cancel another payment.
    if (turnedBack) return seeOther(`${shown.address}?turned_back`)
    return showAnswer(shown, {
      onTheWay: query.has('on'),
      paid,
      turnedBack: query.has('turned_back'),
      name: rememberedName(header),
    })
  }

  post = async ({ caller, stored }: CheckoutVisitor, incoming: PageRequest): Promise<Response> => {
    const refused = this.#programs.refusePost(incoming)
    if (refused) return refused
    const form = await readForm(this.parts.bodies, incoming)
    return this.act(caller, form, decode(Checkout, { ...stored }))
  }

  /** Submits a parsed form. `ago` is the checkout's row from a moment ago, if known: a payment reads other rows ahead with it. */
  async act(caller: BuyerCaller, form: URLSearchParams, ago?: CheckoutRow): Promise<Response> {
    const button = form.get('do') ?? ''
    let seen: { before: CheckoutState; entered: FormEntries } | undefined
    const done = await act(this.parts.pipeline, caller, async (context) => {
      const ahead = button === 'pay' && ago ? readAhead(context, ago) : undefined
      const [before] = await Promise.all([checkoutStateOf(context, caller), ahead])
      const entered = entriesOf(form, before.sheet)
      seen = { before, entered }
      const errors = formErrors(button, entered, before.sheet, before.checkout.email)
      if (before.step.name === 'open' && Object.keys(errors).length > 0) return { kind: 'refused', errors }
      return actIn(context, before.checkout, button, entered.buying)
    })
    if (done.kind === 'moved') return this.#onTheWay(caller, seen?.entered.typed.name)
    return this.#again(await this.#shown(caller), seen!.before, seen!.entered, done)
  }

  /** Redirects to the checkout's page. A cookie keeps the buyer's name for the form, which is shown again if the payment fails. */
  #onTheWay({ checkoutId }: BuyerCaller, name: string | undefined): Response {
    const address = `/checkout/${clientSecret(this.parts, checkoutId)}`
    return withNameCookie(seeOther(`${address}?on`), name, address, this.parts.publicUrl)
  }

  #again(
    shown: CheckoutView,
    before: CheckoutState,
    entered: FormEntries,
    done: Exclude<FormResult, { kind: 'moved' }>,
  ): Promise<Response> {
    if (shown.step.name !== 'open') return Promise.resolve(seeOther(shown.address))
    const page = openParts(shown)
    if (done.kind === 'refused') return refusedAnswer(shown.sheet, page, entered, done.errors)
    // The change has removed an expired discount code from the checkout. The form shows this code once more.
    const lostCode = shown.sheet.lostCode ?? (shown.sheet.discount === null ? before.sheet.lostCode : null)
    return changedAnswer({ ...shown.sheet, lostCode }, page, entered, done)
  }

  /** `stored` is the checkout's row, if nothing can have changed since it was read. */
  #shown(caller: BuyerCaller, stored?: CheckoutVisitor['stored']): Promise<CheckoutView> {
    return this.parts.pipeline.visits.look(caller, (context) => {
      if (stored) cacheRow(context, Checkout, stored)
      return checkoutViewOf(context, caller)
    })
  }

  async #cameBack(caller: BuyerCaller, turnedBack: boolean): Promise<void> {
    if ((await this.parts.takeTurn(caller.checkoutId, LOOK_UPS)) > 0) return
    await this.parts.pipeline.visits.act(caller, SALE_EVENTS, async (context) =>
      comeBack(context, await requireRow(context, Checkout, caller.checkoutId), { turnedBack }),
    )
  }
}
