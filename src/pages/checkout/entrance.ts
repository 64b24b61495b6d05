import { accountOf } from '../../access/account-of.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { withUtcMoments } from '../../format/moments.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { PriceVariant } from '../../resources/catalog/price-variant/price-variant.ts'
import type { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { openFromInvoice, openingOf } from '../../resources/sales/checkout/create.ts'
import { draftOf } from '../../resources/sales/checkout/draft.ts'
import { type Offer, openFromPrice, whatPriceOffers } from '../../resources/sales/checkout/offer.ts'
import { frameOf, type Sheet, sheetOf } from '../../resources/sales/checkout/sheet.ts'
import { openFromLink, requireActiveLink, whatIsOffered } from '../../resources/sales/checkout-link/open.ts'
import { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { payableCheckoutOf } from '../../resources/sales/invoice/payable.ts'
import { invoiceIdOf } from '../../resources/sales/invoice/show.ts'
import type { ClosedView } from '../parts/closed.ts'
import type { PageParts } from '../parts/parts.ts'
import type { OpenPage } from './open.ts'
import type { Counter } from './price-counter.ts'
import { priceCounter } from './price-counter.ts'

export type Draft =
  | { kind: 'open'; sheet: Sheet; page: Omit<OpenPage, 'address'> }
  /** An open checkout already exists, and every browser is redirected to it. */
  | { kind: 'checkout'; checkoutId: string }
  | { kind: 'closed'; status: number; page: ClosedView }

/** A URL where buyers arrive without a checkout: of a link, a price or an invoice. */
export interface Entrance {
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
