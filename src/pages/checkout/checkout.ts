import { storedCheckout } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { decode } from '../../records/columns.ts'
import { rememberRow, requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { comeBack } from '../../resources/sales/checkout/progress.ts'
import { readAhead } from '../../resources/sales/checkout/read_ahead.ts'
import { checkoutIdOf, clientSecret } from '../../resources/sales/checkout/show.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { type PageParts, type PageRequest, readForm, seeOther } from '../parts/parts.ts'
import { act, actIn, type Done } from './act.ts'
import { changedAnswer, formErrors, refusedAnswer } from './again.ts'
import { checkoutCounter } from './counter.ts'
import { type Entered, entriesOf } from './entries.ts'
import type { ProgramDoor } from './program.ts'
import { rememberedName, rememberingName } from './remembered.ts'
import { openParts, type Seen, type Shown, seenOf, showAnswer, shownOf } from './show.ts'

type CheckoutRow = Row<typeof Checkout>

/** How often the provider is asked about one checkout: the page that waits for it asks every three seconds. */
const LOOK_UPS = { name: 'look-ups of payments', perMinute: 20, burst: 5 }

export interface Arrived {
  caller: BuyerCaller
  stored: NonNullable<Awaited<ReturnType<typeof storedCheckout>>>
}

/** The buyer of the checkout that a secret opens, or null when it is not the right one. */
export async function arrivedBy(parts: PageParts, secret: string): Promise<Arrived | null> {
  const checkoutId = checkoutIdOf(parts, secret)
  const stored = checkoutId && (await storedCheckout(parts.database.read, checkoutId))
  return stored ? { caller: { kind: 'buyer', accountId: stored.account_id, checkoutId: stored.id }, stored } : null
}

export class CheckoutPage {
  readonly #parts: PageParts
  readonly #programs: ProgramDoor

  constructor(parts: PageParts, programs: ProgramDoor) {
    this.#parts = parts
    this.#programs = programs
  }

  /**
   * Shows it, or answers a program that pays by x402. Otherwise nothing is written, but that the provider is asked about a payment
   * whose buyer comes back from there.
   */
  get = async (arrived: Arrived, incoming: PageRequest): Promise<Response> => {
    return (await this.#programs.answer(checkoutCounter(arrived.caller), incoming)) ?? this.#page(arrived, incoming)
  }

  async #page({ caller, stored }: Arrived, { request, header }: PageRequest): Promise<Response> {
    const query = new URL(request.url).searchParams
    const payment = query.get('payment')
    const [paid, turnedBack] = [payment === 'done', payment === 'canceled']
    const comesBack = paid || turnedBack
    if (comesBack) await this.#cameBack(caller, turnedBack)
    const shown = await this.#shown(caller, comesBack ? undefined : stored)
    // The address is used once, so that loading the page again ends no other payment.
    if (turnedBack) return seeOther(`${shown.address}?turned_back`)
    return showAnswer(shown, {
      onTheWay: query.has('on'),
      paid,
      turnedBack: query.has('turned_back'),
      name: rememberedName(header),
    })
  }

  post = async ({ caller, stored }: Arrived, incoming: PageRequest): Promise<Response> => {
    const refused = this.#programs.refusePost(incoming)
    if (refused) return refused
    const form = await readForm(this.#parts.bodies, incoming)
    return this.act(caller, form, decode<CheckoutRow>(Checkout, { ...stored }))
  }

  /** As `post`, for a form that is known already, and a checkout as it was a moment ago, where that is. */
  async act(caller: BuyerCaller, form: URLSearchParams, ago?: CheckoutRow): Promise<Response> {
    const button = form.get('do') ?? ''
    let seen: { before: Seen; entered: Entered } | undefined
    const done = await act(this.#parts.pipeline, caller, async (context) => {
      const ahead = button === 'pay' && ago ? readAhead(context, ago) : undefined
      const [before] = await Promise.all([seenOf(context, caller), ahead])
      const entered = entriesOf(form, before.sheet)
      seen = { before, entered }
      const errors = formErrors(button, entered, before.sheet, before.checkout.email)
      if (before.step.name === 'open' && Object.keys(errors).length > 0) return { kind: 'refused', errors }
      return actIn(context, before.checkout, button, entered.buying)
    })
    if (done.kind === 'moved') return this.#onTheWay(caller, seen?.entered.typed.name)
    return this.#again(await this.#shown(caller), seen!.before, seen!.entered, done)
  }

  /** The page of the payment, which shows the form again with the buyer's name where the payment fails. */
  #onTheWay({ checkoutId }: BuyerCaller, name: string | undefined): Response {
    const address = `/checkout/${clientSecret(this.#parts, checkoutId)}`
    return rememberingName(seeOther(`${address}?on`), name, address, this.#parts.publicUrl)
  }

  /** The form again, unless the checkout has moved on meanwhile. */
  #again(shown: Shown, before: Seen, entered: Entered, done: Exclude<Done, { kind: 'moved' }>): Promise<Response> {
    if (shown.step.name !== 'open') return Promise.resolve(seeOther(shown.address))
    const page = openParts(shown)
    if (done.kind === 'refused') return refusedAnswer(shown.sheet, page, entered, done.errors)
    // A code that has ended is taken off with the change, and named once more.
    const lostCode = shown.sheet.lostCode ?? (shown.sheet.discount === null ? before.sheet.lostCode : null)
    return changedAnswer({ ...shown.sheet, lostCode }, page, entered, done)
  }

  /** `stored` is the checkout where nothing can have changed it since. */
  #shown(caller: BuyerCaller, stored?: Arrived['stored']): Promise<Shown> {
    return this.#parts.pipeline.visits.look(caller, (context) => {
      if (stored) rememberRow(context, Checkout, stored)
      return shownOf(context, caller)
    })
  }

  async #cameBack(caller: BuyerCaller, turnedBack: boolean): Promise<void> {
    if ((await this.#parts.takeTurn(caller.checkoutId, LOOK_UPS)) > 0) return
    await this.#parts.pipeline.visits.act(caller, SALE_EVENTS, async (context) =>
      comeBack(context, await requireRow(context, Checkout, caller.checkoutId), { turnedBack }),
    )
  }
}
