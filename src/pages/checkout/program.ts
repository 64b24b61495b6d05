import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, errorDocsUrl } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import {
  type BroughtTransfer,
  type TransferCheck,
  TransferUnreadableError,
  type X402Provider,
} from '../../providers/payments/provider.ts'
import type { Context } from '../../records/context.ts'
import { requireRow } from '../../records/records.ts'
import { accessUrl, boughtFileUrl, experiencesOf, filesIn } from '../../resources/content/experience/access.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { itemsByOrder } from '../../resources/sales/order/items.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { partiesOf, partiesOfTransfer } from '../../resources/sales/payment/parties.ts'
import { Payment } from '../../resources/sales/payment/payment.ts'
import { isOpen } from '../../resources/sales/payment/settle.ts'
import { paymentOfTransfer } from '../../resources/sales/payment/transfer.ts'
import { PostLimit } from '../parts/form.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { answer, listingOf, paymentRequired, refusal, retryLater, settlementHeader } from './program-answers.ts'
import type { Counter, PaymentRow, ReceiptReader } from './program-purchase.ts'
import { notPayable, type OfferState, type Payable, type ProgramQuery, stateAnswer } from './program-state.ts'

/** The time that a request waits for the blockchain, in addition to the wait of the operation that started the payment. */
const SETTLEMENT_WAIT = { mostMs: 20_000, pauseMs: 500 }
const RETRY_AFTER_SECONDS = 5

interface ProgramVisit {
  counter: Counter
  given: ProgramQuery
}

interface SignedPayment {
  x402: X402Provider
  signed: string
  from: string
}

interface KnownPayment {
  payment: PaymentRow
  reader: ReceiptReader
}

const TERMS_CHANGED = { code: 'terms_changed', message: 'The terms have changed. Nothing was settled.' }

/** Rolls back the transaction if the terms have changed since they were signed. */
class TermsChangedError extends Error {}

function queryOf(query: URLSearchParams): ProgramQuery {
  const [email, quantity, amount] = ['email', 'quantity', 'amount'].map((name) => query.get(name))
  const [country, region, vat_id] = ['country', 'region', 'vat_id'].map((name) => query.get(name))
  return {
    ...{ email: email ?? null, quantity: quantity ?? null, amount: amount ?? null },
    ...{ country: country ?? null, region: region ?? null, vat_id: vat_id ?? null },
  }
}

/** Lets software clients pay by x402 at the same URLs as the pages for people. */
export class ProgramPayments extends PageOf<PageParts> {
  readonly #limit = new PostLimit('payments of programs', this.parts, { ofClient: this.parts.postsPerMinute })

  /** Returns null for browsers, and if x402 is not available at this URL. */
  async answer(counter: Counter, incoming: PageRequest): Promise<Response | null> {
    const { request, header } = incoming
    const { x402 } = this.parts.services.payments
    const signed = request.method === 'GET' ? header('payment-signature') : null
    const visit = { counter, given: queryOf(new URL(request.url).searchParams) }
    try {
      if (signed !== null && x402 !== null) return await this.#pay(visit, { x402, signed, from: incoming.address })
      if (/\btext\/html\b/i.test(header('accept') ?? '')) return null
      const offered = await this.#offered(visit)
      return offered && stateAnswer(offered)
    } catch (error) {
      return this.#refusal(error)
    }
  }

  /** Rejects a payment by x402 that is sent with POST. Returns null for submitted forms. */
  refusePost({ header }: PageRequest): Response | null {
    if (header('payment-signature') === null) return null
    const message = 'Programs pay with GET, and say what they buy in the query. Nothing was settled.'
    return this.#refusal(new ApiError('method_not_allowed', message, { headers: { Allow: 'GET, HEAD' } }))
  }

  async #pay(visit: ProgramVisit, { x402, signed, from }: SignedPayment): Promise<Response> {
    const { counter } = visit
    const wait = await this.#limit.waitSeconds(from, counter.about)
    if (wait > 0) throw tooMany(wait)
    const brought = readSigned(x402, signed)
    const key = x402.keyOf(brought)
    const known = await this.#known(counter, key, brought)
    if (known) return this.#outcome(visit, known)
    const begun = await this.#begin(visit, x402, brought).catch((error: unknown) => this.#refusal(error))
    if (!(begun instanceof Response)) return this.#outcome(visit, { payment: begun, reader: 'buyer' })
    // A concurrent request may have started the same payment first.
    const same = await this.#known(counter, key, brought)
    return same ? this.#outcome(visit, same) : begun
  }

  /** Starts the payment and returns it, or returns a response that explains why it was not started. */
  async #begin(visit: ProgramVisit, x402: X402Provider, brought: BroughtTransfer): Promise<PaymentRow | Response> {
    const offered = await this.#offered(visit)
    if (offered?.state !== 'payable' || offered.email === null) return notPayable(offered)
    const checked = await this.#check(x402, brought, offered)
    if (checked === null)
      return retryLater(503, 'The chain cannot be asked now. Nothing was settled.', RETRY_AFTER_SECONDS)
    if (checked.state === 'refused') return paymentRequired(offered.terms, checked)
    const { key, reference } = checked
    const { email, place, terms } = offered
    const signed = { ...brought, terms: terms.accepts[0]!, listing: listingOf(terms) }
    return this.#claim(visit, { ...signed, key, reference, email, place })
  }

  /** Returns the existing payment if the client has already sent this transfer to this URL. */
  async #known(counter: Counter, key: string, brought: BroughtTransfer): Promise<KnownPayment | null> {
    return this.#look(counter, async (context) => {
      const payment = await paymentOfTransfer(context, key)
      const reader = payment && (await counter.readerOf(context, payment, brought))
      return payment && reader && { payment, reader }
    })
  }

  /** Returns null if the payment provider cannot be reached. */
  async #check(x402: X402Provider, brought: BroughtTransfer, { terms }: Payable): Promise<TransferCheck | null> {
    try {
      return await x402.check(brought, terms.accepts[0]!, listingOf(terms))
    } catch (error) {
      this.parts.log.error({ err: error }, 'A payment in USDC could not be checked')
      return null
    }
  }

  async #claim(visit: ProgramVisit, taken: Parameters<Counter['claim']>[1]): Promise<PaymentRow | Response> {
    const { counter, given } = visit
    const { visits } = this.parts.pipeline
    const work = async (context: Context) => {
      const id = await counter.claim(context, taken, given)
      if (id === null) throw new TermsChangedError()
      return requireRow(context, Payment, id)
    }
    try {
      return await visits[counter.opens ? 'actAsOutsider' : 'act'](counter.caller, counter.events, work)
    } catch (error) {
      if (error instanceof TermsChangedError) {
        const now = await this.#offered(visit)
        return now?.state === 'payable' ? paymentRequired(now.terms, TERMS_CHANGED) : notPayable(now)
      }
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const { errors } = error.details
      const message = `${error.message} Nothing was settled.`
      if (errors) throw new ApiError('validation_failed', message, { errors })
      return refusal(409, message)
    }
  }

  /** Repeated requests get the same response. */
  async #outcome(visit: ProgramVisit, { payment: { id, transfer }, reader }: KnownPayment): Promise<Response> {
    const { counter } = visit
    const payment = await this.#settled(counter, id)
    if (isOpen(payment))
      return retryLater(
        202,
        'The payment is being settled. Send the same request again to see what became of it.',
        RETRY_AFTER_SECONDS,
      )
    const { network, payer } = partiesOfTransfer(transfer!)
    if (payment.status === 'succeeded') {
      const receipt = reader === 'buyer' ? receiptOf : publicReceiptOf
      const shown = await this.#look(counter, async (context) => receipt(context, payment))
      const settlement = { success: true, transaction: payment.reference!, network, payer } as const
      return answer(200, shown, settlementHeader(settlement))
    }
    const reason = {
      code: 'settlement_failed',
      message: payment.failure_message ?? `The payment ${id} was not settled.`,
    }
    const now = await this.#offered(visit)
    if (now?.state === 'payable') return paymentRequired(now.terms, reason)
    const settlement = { success: false, errorReason: reason.code, transaction: '', network } as const
    return answer(409, { error: reason.message }, settlementHeader(settlement))
  }

  async #settled(counter: Counter, id: string): Promise<PaymentRow> {
    const end = performance.now() + SETTLEMENT_WAIT.mostMs
    for (;;) {
      const payment = await this.#look(counter, (context) => requireRow(context, Payment, id))
      if (!isOpen(payment) || performance.now() > end) return payment
      await delay(SETTLEMENT_WAIT.pauseMs)
    }
  }

  /** Converts an error to a response with the API's error body. Rethrows internal failures and errors for unknown URLs. */
  #refusal(error: unknown): Response {
    if (!(error instanceof ApiError) || error.code === 'resource_missing') throw error
    return answer(error.status, error.body(errorDocsUrl(this.parts.publicUrl)), error.headers)
  }

  #offered({ counter, given }: ProgramVisit): Promise<OfferState | null> {
    return this.#look(counter, (context) => counter.offered(context, given))
  }

  #look<Value>({ caller }: Counter, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.parts.pipeline.visits.look(caller, work)
  }
}

function tooMany(seconds: number): ApiError {
  const message = 'Too many payments in a short time. This one was not settled.'
  return new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(seconds) } })
}

function readSigned(x402: X402Provider, signed: string): BroughtTransfer {
  try {
    return x402.read(signed)
  } catch (error) {
    if (!(error instanceof TransferUnreadableError)) throw error
    throw new ApiError('parameter_invalid', error.message, { param: 'PAYMENT-SIGNATURE' })
  }
}

/** Returns the receipt of a payment by x402. It gives access to the purchases of this order, but to nothing else of the customer. */
async function receiptOf(context: Context, payment: Row<typeof Payment>) {
  const { id, status, amount, currency, paid_at, ...order } = await requireRow(context, Order, payment.order_id)
  const { amount_tax, tax_inclusive, tax_lines, reverse_charge, country, region, vat_id } = order
  const tax = { amount_tax, tax_inclusive, tax_lines, reverse_charge, country, region, vat_id }
  const { id: checkout, email } = await requireRow(context, Checkout, payment.checkout!)
  const items = (await itemsByOrder([id], context)).get(id) ?? []
  const line_items = items.map(({ product_name, price_variant_name, quantity, amount: of, ...item }) => ({
    ...{ product_name, price_variant_name, quantity, amount: of },
    ...(country !== null && { amount_tax: item.amount_tax, tax_code: item.tax_code }),
  }))
  return {
    object: 'x402_receipt',
    checkout,
    order: { id, status, amount, currency, paid_at, ...(country !== null && tax), line_items },
    payment: { ...partiesOf(payment), transaction: payment.reference },
    receipt_sent_to: email,
    access: await accessOf(context, id),
  }
}

/** Returns the receipt for readers without the secret in the terms. It shows the order and the facts that are public on the blockchain. */
async function publicReceiptOf(context: Context, payment: Row<typeof Payment>) {
  const { id, status, amount, currency, paid_at } = await requireRow(context, Order, payment.order_id)
  return {
    object: 'x402_receipt',
    order: { id, status, amount, currency, paid_at },
    payment: { ...partiesOf(payment), transaction: payment.reference },
    access: null,
    message: HOW_TO_SEE_RECEIPT,
  }
}

const HOW_TO_SEE_RECEIPT =
  'Send the extensions of the terms that you signed, too, to see all of the receipt. It was also sent by e-mail, with the access to what was bought.'

async function accessOf(context: Context, order: string) {
  const experiences = await experiencesOf(context, order)
  if (experiences.length === 0) return null
  return {
    url: accessUrl(context, order),
    experiences: await Promise.all(experiences.map((experience) => shown(context, order, experience))),
  }
}

async function shown(context: Context, order: string, { name, slug, item_type, content }: Row<typeof Experience>) {
  const files = [...(await filesIn(context, content)).values()]
  return {
    name,
    item_type,
    url: `${accessUrl(context, order)}/${slug}`,
    files: files.map(({ id, title, filename, content_type, size, store, url }) => ({
      name: title ?? filename ?? 'File',
      content_type,
      size,
      url: store === null ? url : boughtFileUrl(context, order, slug, id),
    })),
  }
}
