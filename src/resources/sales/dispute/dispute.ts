import { z } from 'zod'
import {
  currency,
  flag,
  longText,
  money,
  oneOf,
  reference,
  structure,
  text,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import type { DisputeReason } from '../../../format/dispute-reasons.ts'

/** The maximum number of characters that providers accept in an answer. */
export const LONGEST_ANSWER = 20_000

const REASONS = [
  ...(['fraudulent', 'product_not_received', 'product_unacceptable', 'credit_not_processed'] as const),
  ...(['duplicate', 'subscription_canceled', 'unrecognized', 'general'] as const),
] as const satisfies readonly DisputeReason[]

/** The facts of a sale that are sent to the bank together with an answer. */
const Evidence = z.object({
  customerName: z.string().nullable(),
  customerEmail: z.string(),
  product: z.string(),
  access: z.string().nullable(),
  refundPolicy: z.string().nullable(),
})
export type Evidence = z.infer<typeof Evidence>

const NO_EVIDENCE = { customerName: null, customerEmail: '', product: '', access: null, refundPolicy: null }

export const Dispute = noun('dispute', {
  prefix: 'dispute',
  group: 'Orders',
  area: 'sales',
  description: 'A payment of an order that its holder asks the bank to take back.',
  hidden: {
    payment: text('The payment that is disputed'),
    evidence: structure('object', Evidence, 'What was sent with the answer', NO_EVIDENCE).nullable(),
    responded_by: text('Who answered').nullable(),
    within_limit: flag('Whether its acceptance counts towards what support may refund on the order').default(false),
  },
  fields: readOnly({
    order: reference('order', 'Order whose payment is disputed', 'ord_…').expandable(),
    amount: money('Amount that is disputed'),
    currency: currency('Currency of the order'),
    status: oneOf(
      ['needs_response', 'under_review', 'won', 'lost', 'closed'],
      'needs_response: waits for an answer; under_review: the bank decides; won: the money stays with the shop; lost: the buyer has it back; closed: an inquiry that did not become a dispute, or one that was settled before',
    ),
    inquiry: flag('Whether the bank only asks so far and has taken no money'),
    reason: oneOf(REASONS, 'Why the payment is disputed'),
    due_at: timestamp('Until when the bank takes an answer').nullable('the bank names no date'),
    reference: text('Id at the payment provider', { example: 'du_1a2b' }),
    provider: text('Payment provider', { example: 'Test cards' }).derived(),
    can_be_answered: flag('Whether an answer can be sent now').derived(),
    can_be_accepted: flag('Whether it can be accepted now').derived(),
    response: oneOf(['answer', 'acceptance'], 'What the shop has answered').nullable('not answered'),
    response_status: oneOf(
      ['sending', 'sent', 'refused'],
      'sending: on its way, tried again until the provider has it; refused: the bank does not have it, see response_error',
    ).nullable('not answered'),
    response_error: text('Why the answer was refused', { max: 500 }).nullable('it was not'),
    answer: longText('What the shop wrote', LONGEST_ANSWER).nullable('nothing'),
    responded_at: timestamp('When the shop answered').nullable('not answered'),
    responded_by_name: text('Who answered', { example: 'Ada Lovelace' })
      .nullable('nobody, or somebody who left')
      .derived(),
    closed_at: timestamp('When it was decided').nullable('not decided'),
  }),
  example: {
    ...{ order: exampleId('ord'), status: 'needs_response', inquiry: false, due_at: '2026-01-22T10:30:00Z' },
    ...{
      response: null,
      response_status: null,
      response_error: null,
      answer: null,
      responded_at: null,
      closed_at: null,
    },
    responded_by_name: null,
  },
})

export type DisputeRow = Row<typeof Dispute>
