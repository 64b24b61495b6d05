import { accountOf } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { comeBack } from '../../resources/sales/checkout/progress.ts'
import { checkoutIdOf } from '../../resources/sales/checkout/secret.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import type { PageParts, PageRequest } from '../parts/parts.ts'
import { act, type Done } from './act.ts'
import { changedAnswer, formErrors, refusedAnswer } from './again.ts'
import { type Entered, entriesOf } from './entries.ts'
import { ProgramDoor } from './program.ts'
import { openParts, type Shown, showAnswer, shownOf } from './show.ts'

/** How often the provider is asked about one checkout: the page that waits for it asks every three seconds. */
const LOOK_UPS = { name: 'look-ups of payments', perMinute: 20, burst: 5 }

/** The buyer of the checkout that a secret opens, or null when it is not the right one. */
export async function buyerOf(parts: PageParts, secret: string): Promise<BuyerCaller | null> {
  const checkoutId = checkoutIdOf(parts, secret)
  const accountId = checkoutId && (await accountOf(parts.database.read, 'checkouts', checkoutId))
  return checkoutId && accountId ? { kind: 'buyer', accountId, checkoutId } : null
}

/** The page of one checkout, which its buyer reaches by its secret. */
export class CheckoutPage {
  readonly #parts: PageParts
  readonly #programs: ProgramDoor

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#programs = new ProgramDoor(parts)
  }

  /**
   * Shows it, or answers a program that pays by x402. Otherwise nothing is written, but that the provider is asked about a payment
   * whose buyer comes back from there.
   */
  get = async (caller: BuyerCaller, incoming: PageRequest): Promise<Response> => {
    return (await this.#programs.answer(caller, incoming)) ?? this.#page(caller, incoming)
  }

  async #page(caller: BuyerCaller, { request }: PageRequest): Promise<Response> {
    const query = new URL(request.url).searchParams
    const payment = query.get('payment')
    const [paid, turnedBack] = [payment === 'done', payment === 'canceled']
    if (paid || turnedBack) await this.#cameBack(caller, turnedBack)
    const shown = await this.#shown(caller)
    // The address is used once, so that loading the page again ends no other payment.
    if (turnedBack) return seeOther(`${shown.address}?turned_back`)
    return showAnswer(shown, { onTheWay: query.has('on'), paid, turnedBack: query.has('turned_back') })
  }

  /** Does what the pressed button says, and shows what came of it. */
  post = async (caller: BuyerCaller, incoming: PageRequest): Promise<Response> => {
    return this.act(caller, await readForm(this.#parts.bodies, incoming))
  }

  /** As `post`, for a buyer and a form that are known already. */
  async act(caller: BuyerCaller, form: URLSearchParams): Promise<Response> {
    const before = await this.#shown(caller)
    const entered = entriesOf(form, before.sheet)
    const button = form.get('do') ?? ''
    const errors = formErrors(button, entered, before.sheet, before.checkout.email)
    const refused = before.step.name === 'open' && Object.keys(errors).length > 0
    const done: Done = refused
      ? { kind: 'refused', errors }
      : await act(this.#parts.pipeline, caller, { button, buying: entered.buying, seen: before.checkout })
    if (done.kind === 'moved') return seeOther(`${before.address}?on`)
    return this.#again(await this.#shown(caller), before, entered, done)
  }

  /** The form again, unless the checkout has moved on meanwhile. */
  #again(shown: Shown, before: Shown, entered: Entered, done: Exclude<Done, { kind: 'moved' }>): Promise<Response> {
    if (shown.step.name !== 'open') return Promise.resolve(seeOther(shown.address))
    const page = openParts(shown)
    if (done.kind === 'refused') return refusedAnswer(shown.sheet, page, entered, done.errors)
    // A code that has ended is taken off with the change, and named once more.
    const lostCode = shown.sheet.lostCode ?? (shown.sheet.discount === null ? before.sheet.lostCode : null)
    return changedAnswer({ ...shown.sheet, lostCode }, page, entered, done)
  }

  #shown(caller: BuyerCaller): Promise<Shown> {
    return this.#parts.pipeline.visits.look(caller, (context) => shownOf(context, caller))
  }

  async #cameBack(caller: BuyerCaller, turnedBack: boolean): Promise<void> {
    if ((await this.#parts.takeTurn(caller.checkoutId, LOOK_UPS)) > 0) return
    await this.#parts.pipeline.visits.act(caller, SALE_EVENTS, async (context) =>
      comeBack(context, await requireRow(context, Checkout, caller.checkoutId), { turnedBack }),
    )
  }
}
