import { accountOf } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { withUtcMoments } from '../../format/moments.ts'
import type { Context } from '../../records/context.ts'
import { findRow, requireRow } from '../../records/records.ts'
import { PriceVariant } from '../../resources/catalog/price-variant/price-variant.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { openFromInvoice, openingOf } from '../../resources/sales/checkout/create.ts'
import { draftOf } from '../../resources/sales/checkout/draft.ts'
import { type Offer, openFromPrice, whatPriceOffers } from '../../resources/sales/checkout/offer.ts'
import { frameOf, type Sheet, sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { checkoutIdOf, clientSecret } from '../../resources/sales/checkout/show.ts'
import { openFromLink, requireActiveLink, whatIsOffered } from '../../resources/sales/checkout-link/open.ts'
import { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { payableCheckoutOf } from '../../resources/sales/invoice/payable.ts'
import { invoiceIdOf } from '../../resources/sales/invoice/show.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import { type ClosedView, closedPage } from '../parts/document.ts'
import { readForm } from '../parts/form.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { actIn, type FormResult, refusedOf } from './act.ts'
import { changedAnswer, formErrors, refusedAnswer } from './again.ts'
import { CheckoutPage } from './checkout.ts'
import { entriesOf, type FormEntries } from './entries.ts'
import { type OpenPage, openAnswer } from './open-checkout-page.ts'
import { ProgramPayments } from './program.ts'
import { type Counter, priceCounter } from './program-purchase.ts'
import { checkoutCookieHeader, rememberedSecret, withNameCookie } from './remembered.ts'
import { checkoutViewOf, openParts } from './show.ts'

type Draft =
  | { kind: 'open'; sheet: Sheet; page: Omit<OpenPage, 'address'> }
  /** An open checkout already exists, and every browser is redirected to it. */
  | { kind: 'checkout'; checkoutId: string }
  | { kind: 'closed'; status: number; page: ClosedView }

/** The URL of a checkout link, a price or an invoice, where buyers arrive without a checkout. */
interface Entrance {
  accountId: string
  id: string
  address: string
  draft(context: Context): Promise<Draft>
  open(context: Context): Promise<Row<typeof Checkout>>
  /** Lets software clients pay by x402 at this URL without a checkout. */
  counter?: Counter
}

type MaybeEntrance = Promise<Entrance | null>
type EntranceParts = Pick<PageParts, 'database' | 'services'>

export async function linkEntrance({ database }: EntranceParts, id: string): MaybeEntrance {
  const accountId = await accountOf(database.read, 'checkout_links', id)
  if (accountId === null) return null
  return {
    ...{ accountId, id, address: `/l/${id}` },
    async draft(context) {
      const link = await requireActiveLink(context, id)
      return draftOfOffer(context, await whatIsOffered(context, link), id)
    },
    open: async (context) => openFromLink(context, await requireActiveLink(context, id)),
  }
}

export async function priceEntrance({ database }: EntranceParts, id: string): MaybeEntrance {
  const accountId = await accountOf(database.read, 'price_variants', id)
  if (accountId === null) return null
  const variant = (context: Context) => requireRow(context, PriceVariant, id)
  return {
    ...{ accountId, id, address: `/buy/${id}` },
    draft: async (context) => draftOfOffer(context, await whatPriceOffers(context, await variant(context)), id),
    open: async (context) => openFromPrice(context, await variant(context)),
    counter: priceCounter(accountId, id),
  }
}

export async function invoiceEntrance(parts: EntranceParts, secret: string): MaybeEntrance {
  const id = invoiceIdOf(parts, secret)
  const accountId = id === null ? null : await accountOf(parts.database.read, 'invoices', id)
  if (id === null || accountId === null) return null
  const invoice = (context: Context) => requireRow(context, Invoice, id)
  return {
    ...{ accountId, id, address: `/pay/${secret}` },
    draft: async (context) => draftOfInvoice(context, await invoice(context)),
    open: async (context) => openFromInvoice(context, await invoice(context)),
  }
}

async function draftOfOffer(context: Context, offer: Offer, link: string): Promise<Draft> {
  const gone = offer.items.flatMap(({ line, problem }) =>
    problem === null ? [] : [`${line.product_name} ${withUtcMoments(problem)}.`],
  )
  if (offer.priced === null) return { kind: 'closed', status: 410, page: await unavailablePage(context, gone) }
  const sheet = await sheetOf(context, draftOf(offer.priced, { link }))
  const { refusedCode } = offer
  const buyer = { email: null, name: null, fixed: false }
  const left = gone.length > 0 ? `${gone.join(' ')} You can buy the rest.` : null
  return {
    kind: 'open',
    sheet: { ...sheet, lostCode: refusedCode },
    page: { backUrl: null, buyer, ...(left !== null && { news: { kind: 'plain', text: left } }) },
  }
}

async function unavailablePage(context: Context, gone: string[]): Promise<ClosedView> {
  const { shop, test } = await frameOf(context)
  const words = gone.length > 0 ? gone.join(' ') : 'This product is no longer for sale.'
  return { frame: { shop, test }, title: 'This is not available right now', words, way: emailLink(shop) }
}

async function draftOfInvoice(context: Context, invoice: Row<typeof Invoice>): Promise<Draft> {
  const { status, email_address: email, customer_name: name } = invoice
  if (status === 'paid' || status === 'void') return closedInvoice(context, invoice)
  const open = await payableCheckoutOf(context, invoice)
  if (open) return { kind: 'checkout', checkoutId: open.id }
  const sheet = await sheetOf(context, draftOf(openingOf(invoice).priced, { invoice: invoice.id }))
  const page = { backUrl: null, buyer: { email, name, fixed: true } }
  return { kind: 'open', sheet, page }
}

async function closedInvoice(context: Context, { status, number }: Row<typeof Invoice>): Promise<Draft> {
  const { shop, test } = await frameOf(context)
  const paid = status === 'paid'
  const page = {
    frame: { shop, test },
    title: paid ? `Invoice ${number} is paid` : `Invoice ${number} was canceled`,
    words: paid ? 'Nothing is left to pay. Thank you.' : 'You no longer need to pay it.',
    way: emailLink(shop),
  }
  return { kind: 'closed', status: paid ? 200 : 410, page }
}

function emailLink({ name, email }: Sheet['shop']): ClosedView['way'] {
  return email === null ? null : { url: `mailto:${email}`, words: `E-mail ${name}` }
}

type OpenDraft = Extract<Draft, { kind: 'open' }>

/** The page of a link, price or invoice for buyers without a checkout. The buyer's first action opens the checkout. */
export class EntrancePage extends PageOf<PageParts> {
  readonly #checkouts = new CheckoutPage(this.parts)
  readonly #programs = new ProgramPayments(this.parts)

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
    const form = await readForm(this.parts.bodies, incoming)
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

  /** Opens a checkout and performs the action in one transaction, so that a rejected action leaves no checkout. */
  async #openAndAct(entrance: Entrance, button: string, { buying }: FormEntries) {
    const caller = callerOf(entrance, entrance.id)
    try {
      return await this.parts.pipeline.visits.actAsOutsider(
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
    const { publicUrl } = this.parts
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
    const checkoutId = secret && checkoutIdOf(this.parts, secret)
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
    return seeOther(`/checkout/${clientSecret(this.parts, checkoutId)}`)
  }

  #draft(entrance: Entrance): Promise<Draft> {
    return this.#look(callerOf(entrance, entrance.id), (context) => entrance.draft(context))
  }

  #look<Value>(caller: BuyerCaller, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.parts.pipeline.visits.look(caller, work)
  }
}

/** Before a checkout exists, `checkoutId` is the id of the link, price or invoice. */
function callerOf({ accountId }: Entrance, checkoutId: string): BuyerCaller {
  return { kind: 'buyer', accountId, checkoutId }
}
