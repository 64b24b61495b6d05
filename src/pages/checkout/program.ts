import { setTimeout as delay } from 'node:timers/promises'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import {
  type BroughtTransfer,
  type TransferCheck,
  TransferUnreadableError,
  type X402Provider,
} from '../../outside/payments/provider.ts'
import { requireRow } from '../../records/records.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { payByTransfer } from '../../resources/sales/checkout/pay_by_transfer.ts'
import { SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import { partiesOfTransfer } from '../../resources/sales/payment/parties.ts'
import { Payment } from '../../resources/sales/payment/payment.ts'
import { isOpen } from '../../resources/sales/payment/settle.ts'
import { paymentOfTransfer } from '../../resources/sales/payment/transfer_use.ts'
import { PostLimit } from '../parts/guard.ts'
import type { PageParts, PageRequest } from '../parts/parts.ts'
import { answer, later, paymentRequired, refusal, settlementHeader } from './program-answers.ts'
import { receiptOf } from './program-receipt.ts'
import { type GivenBuyer, notPayable, type Offered, offeredOf, type Payable, stateAnswer } from './program-state.ts'

type PaymentRow = Row<typeof Payment>

/** How long a request waits for the chain, after the rule that began the payment has waited. */
const WAIT = { mostMs: 20_000, pauseMs: 500 }
const AGAIN_S = 5

/** What a program has sent, and from where. */
interface Signed {
  x402: X402Provider
  signed: string
  buyer: GivenBuyer
  from: string
}

type Brought = Pick<BroughtTransfer, 'transfer'> & Pick<Signed, 'buyer'>

const NOBODY: GivenBuyer = { email: null, country: null, region: null, vat_id: null }

function buyerIn(query: URLSearchParams): GivenBuyer {
  const [email, country, region, vat_id] = ['email', 'country', 'region', 'vat_id'].map((name) => query.get(name))
  return { email: email ?? null, country: country ?? null, region: region ?? null, vat_id: vat_id ?? null }
}

/** How programs pay a checkout by x402, at the address where people find its page. */
export class ProgramDoor {
  readonly #parts: PageParts
  readonly #limit: PostLimit

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#limit = new PostLimit('payments of programs', parts, { ofClient: parts.postsPerMinute })
  }

  /** What a program is answered; null for people, and where the checkout cannot be paid so. */
  async answer(caller: BuyerCaller, incoming: PageRequest): Promise<Response | null> {
    const { request, header } = incoming
    const { x402 } = this.#parts.services.payments
    const signed = request.method === 'GET' ? header('payment-signature') : null
    const buyer = buyerIn(new URL(request.url).searchParams)
    if (signed !== null && x402 !== null) return this.#pay(caller, { x402, signed, buyer, from: incoming.address })
    if (/\btext\/html\b/i.test(header('accept') ?? '')) return null
    const offered = await this.#offered(caller, buyer)
    return offered && stateAnswer(offered)
  }

  async #pay(caller: BuyerCaller, { x402, signed, buyer, from }: Signed): Promise<Response> {
    const wait = await this.#limit.waitSeconds(from, caller.checkoutId)
    if (wait > 0) return later(429, 'Too many payments in a short time. This one was not settled.', wait)
    const brought = readSigned(x402, signed)
    if (brought instanceof Response) return brought
    const key = x402.keyOf(brought)
    const known = await this.#paymentOf(caller, key)
    if (known) return this.#outcome(caller, known)
    const begun = await this.#begin(caller, x402, { brought, buyer })
    if (!(begun instanceof Response)) return this.#outcome(caller, begun)
    // The same may have been sent twice at once, and the other request has claimed the checkout.
    const same = await this.#paymentOf(caller, key)
    return same ? this.#outcome(caller, same) : begun
  }

  /** The payment, once it is claimed, or why it is not. */
  async #begin(
    caller: BuyerCaller,
    x402: X402Provider,
    { brought, buyer }: { brought: BroughtTransfer; buyer: GivenBuyer },
  ): Promise<PaymentRow | Response> {
    const offered = await this.#offered(caller, buyer)
    if (offered?.state !== 'payable') return notPayable(offered)
    const checked = await this.#check(x402, brought, offered)
    if (checked === null) return later(503, 'The chain cannot be asked now. Nothing was settled.', AGAIN_S)
    if (checked.state === 'refused') return paymentRequired(offered.terms, checked)
    return this.#claim(caller, offered, { ...checked, transfer: brought.transfer, buyer })
  }

  /** What was made of a transfer that was brought to this checkout before. */
  async #paymentOf(caller: BuyerCaller, key: string): Promise<PaymentRow | null> {
    const payment = await this.#look(caller, (context) => paymentOfTransfer(context, key))
    return payment?.checkout === caller.checkoutId ? payment : null
  }

  /** Null when nobody can tell now. */
  async #check(x402: X402Provider, brought: BroughtTransfer, { terms }: Payable): Promise<TransferCheck | null> {
    try {
      return await x402.check(brought, terms.accepts[0]!)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'A payment in USDC could not be checked')
      return null
    }
  }

  async #claim(
    caller: BuyerCaller,
    { terms, email, place }: Payable,
    { key, reference, transfer, buyer }: Extract<TransferCheck, { state: 'good' }> & Brought,
  ): Promise<PaymentRow | Response> {
    try {
      const payment = await this.#parts.pipeline.visits.act(caller, SALE_EVENTS, async (context) => {
        const checkout = await requireRow(context, Checkout, caller.checkoutId)
        const good = { key, reference, transfer, email, place, terms: terms.accepts[0]! }
        const id = await payByTransfer(context, checkout, good)
        return id === null ? null : requireRow(context, Payment, id)
      })
      if (payment) return payment
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      const { errors } = error.details
      return refusal(errors ? 422 : 409, `${error.message} Nothing was settled.`, errors && { errors })
    }
    const now = await this.#offered(caller, buyer)
    if (now?.state !== 'payable') return notPayable(now)
    return paymentRequired(now.terms, {
      code: 'terms_changed',
      message: 'The terms have changed. Nothing was settled.',
    })
  }

  /** The same payment has the same answer, however often it is sent. */
  async #outcome(caller: BuyerCaller, { transfer, id }: PaymentRow): Promise<Response> {
    const payment = await this.#settled(caller, transfer!)
    if (isOpen(payment))
      return later(202, 'The payment is being settled. Send the same request again to see what became of it.', AGAIN_S)
    const { network, payer } = partiesOfTransfer(transfer!)
    if (payment.status === 'succeeded') {
      const receipt = await this.#look(caller, (context) => receiptOf(context, payment))
      const settlement = { success: true, transaction: payment.reference!, network, payer } as const
      return answer(200, receipt, settlementHeader(settlement))
    }
    const reason = {
      code: 'settlement_failed',
      message: payment.failure_message ?? `The payment ${id} was not settled.`,
    }
    const now = await this.#offered(caller, NOBODY)
    if (now?.state === 'payable') return paymentRequired(now.terms, reason)
    const settlement = { success: false, errorReason: reason.code, transaction: '', network } as const
    return answer(409, { error: reason.message }, settlementHeader(settlement))
  }

  async #settled(caller: BuyerCaller, key: string): Promise<PaymentRow> {
    const end = performance.now() + WAIT.mostMs
    for (;;) {
      const payment = await this.#paymentOf(caller, key)
      if (payment && (!isOpen(payment) || performance.now() > end)) return payment
      await delay(WAIT.pauseMs)
    }
  }

  #offered(caller: BuyerCaller, buyer: GivenBuyer): Promise<Offered | null> {
    return this.#look(caller, (context) => offeredOf(context, caller, buyer))
  }

  #look: PageParts['pipeline']['visits']['look'] = (caller, work) => this.#parts.pipeline.visits.look(caller, work)
}

function readSigned(x402: X402Provider, signed: string): BroughtTransfer | Response {
  try {
    return x402.read(signed)
  } catch (error) {
    if (error instanceof TransferUnreadableError) return refusal(400, error.message)
    throw error
  }
}
