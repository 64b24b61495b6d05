import { html } from 'hono/html'
import { causeOf } from '../../../format/dispute-reasons.ts'
import { formatMoment } from '../../../format/moments.ts'
import { disputeEvidence } from '../../../resources/sales/dispute/evidence.ts'
import { factList, headedCard, type Page } from '../../parts/markup.ts'
import { rowsIn } from '../kit/call.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { amountOf } from './money.ts'

type Dispute = Pick<
  Viewed<'dispute'>,
  | 'id'
  | 'amount'
  | 'currency'
  | 'status'
  | 'inquiry'
  | 'reason'
  | 'due_at'
  | 'provider'
  | 'can_be_answered'
  | 'response_status'
>
export const disputeView = view('dispute', {
  title: titleOf,
  lead: 'Payments that buyers have asked their bank to take back, and what the bank waits for.',
  columns: ['what', 'why', 'due_at', 'status', 'created_at'],
  cells: {
    what: { title: 'Dispute', show: (_, dispute) => html`${titleOf(dispute)}` },
    why: { title: 'Reason', show: (_, { reason }) => html`${causeOf(reason).says}` },
  },
  labels: { due_at: 'Answer by', created_at: 'Opened', closed_at: 'Decided', reference: 'ID at the provider' },
  above: [
    async (visit, dispute) => headedCard('bank', 'What the bank says', bankStatement(visit, dispute)),
    async (visit, dispute) => (dispute.response === null ? null : responseCard(visit, dispute)),
  ],
  sections: [
    async (visit, { id, response, response_status: state, can_be_answered: open }) => {
      const isSent = response === 'answer' && state !== 'refused'
      if (!isSent && !open) return null
      return headedCard(
        'evidence',
        state === 'sent' ? 'What was sent' : 'What is sent with your answer',
        await evidence(visit, id),
      )
    },
  ],
  links: ({ base }, { order }) =>
    html`<a class="button" href="${base}/orders/${typeof order === 'object' ? order.id : order}/receipt.pdf" data-turbo="false">Receipt (PDF)</a>`,
  main: ['order', 'amount', 'due_at', 'created_at', 'closed_at', 'provider', 'reference'],
  without: [
    ...(['status', 'inquiry', 'reason', 'currency', 'can_be_answered', 'can_be_accepted'] as const),
    ...(['response', 'response_status', 'response_error', 'answer', 'responded_at', 'responded_by_name'] as const),
  ],
  allowed: ({ can_be_answered: answered, can_be_accepted: accepted }) => [
    ...(answered ? (['answer'] as const) : []),
    ...(accepted ? (['accept'] as const) : []),
  ],
  actions: {
    answer: {
      button: 'Answer',
      lead: async (visit, dispute) =>
        html`${bankStatement(visit, dispute)}<p>An answer can be sent once, and not changed afterwards. These facts are sent with it:</p>${await evidence(visit, dispute.id)}`,
      before: ({ answer }) => (answer === null ? null : { answer }),
      labels: { answer: 'Your answer' },
      hints: { answer: 'Say what was bought, how the buyer got it, and why the payment is right.' },
    },
    accept: {
      button: 'Accept dispute',
      danger: true,
      lead: (_, dispute) =>
        `The buyer keeps ${amountOf(dispute)}, and the dispute is lost. This cannot be undone, and ${dispute.provider} may keep its fee.`,
    },
  },
  empty: () => html`No payment is disputed.`,
})

function moment({ account }: DashboardContext, timestamp: string): string {
  return formatMoment(timestamp, account.timezone)
}

function titleOf(dispute: Pick<Dispute, 'amount' | 'currency' | 'inquiry'>): string {
  return `${dispute.inquiry ? 'Inquiry about' : 'Dispute of'} ${amountOf(dispute)}`
}

function bankStatement(visit: DashboardContext, dispute: Dispute): Page {
  const { inquiry, reason } = dispute
  const { says, helps } = causeOf(reason)
  const money = inquiry
    ? 'The bank asks about this payment and has not taken the money. Without an answer it may become a dispute.'
    : `The bank has taken back ${amountOf(dispute)} until it is decided.`
  return html`<p>${says} ${dispute.status === 'needs_response' ? money : ''}</p><p><strong>${stateWords(visit, dispute)}</strong></p>${dispute.can_be_answered ? html`<p class="hint">${helps}</p>` : ''}`
}

function stateWords(visit: DashboardContext, dispute: Dispute): Page | string {
  const { status, due_at: due, can_be_answered: open, provider, response_status: response } = dispute
  switch (status) {
    case 'won':
      return 'You won: the money is yours.'
    case 'lost':
      return 'You lost: the buyer has the money back.'
    case 'closed':
      return 'It is closed, and no money was taken.'
    case 'under_review':
      return 'The bank has your answer and decides. This can take two months.'
    default:
      if (response === 'sending') return `What you have decided is being sent to ${provider}.`
      if (due === null) return `The bank names no date. See ${provider}.`
      return open ? html`Answer by ${moment(visit, due)}.` : html`The time to answer ended on ${moment(visit, due)}.`
  }
}

function responseCard(visit: DashboardContext, dispute: Viewed<'dispute'>): Page {
  const { response, response_status: state, response_error: error, answer, provider } = dispute
  const said = response === 'answer' ? 'The answer' : 'Your acceptance'
  const words =
    state === 'refused'
      ? html`<p class="notice bad" role="alert">${said} was not accepted: ${error}</p>`
      : state === 'sending'
        ? html`<p>${said} is being sent. ${provider} has not confirmed it yet; it is tried again until it does.</p>`
        : html`<p>${said} was sent.</p>`
  const facts = factList('fields', [
    ['By', dispute.responded_by_name ?? 'Somebody who has left'],
    dispute.responded_at !== null && ['On', moment(visit, dispute.responded_at)],
    answer !== null && ['Answer', html`<div class="prose">${answer}</div>`],
  ])
  const content = html`${words}${facts}`
  return headedCard('response', response === 'answer' ? 'Your answer' : 'You accepted this dispute', content)
}

async function evidence(visit: DashboardContext, id: string): Promise<Page> {
  const found = await visit.read(disputeEvidence, id)
  const asWritten = (words: string) => html`<div class="prose">${words}</div>`
  return factList('fields', [
    ['Buyer', [found.customerName, found.customerEmail].filter(Boolean).join(', ')],
    ['Purchase', asWritten(found.product)],
    ['Delivery', found.access === null ? 'Nothing is known: describe it in your answer.' : asWritten(found.access)],
    ['IP address', 'Not kept, so none is sent.'],
    ['Refund policy', found.refundPolicy === null ? 'Not published, so none is sent.' : asWritten(found.refundPolicy)],
  ])
}

/** Lists an order's disputes, or shows where to respond if the dispute is older than the service's record of disputes. */
export async function disputesOfOrder(visit: DashboardContext, order: Viewed<'order'>): Promise<Page | null> {
  if (order.charge === null || order.status === 'failed') return null
  const { rows } = rowsIn(await visit.call('GET /disputes', { query: { order: order.id } }))
  if (rows.length === 0 && order.status !== 'disputed') return null
  const lines = rows.map(
    (dispute) =>
      html`<p><a href="${visit.base}/disputes/${dispute.id}">${titleOf(dispute)}</a>: ${causeOf(dispute.reason).says} <strong>${stateWords(visit, dispute)}</strong></p>`,
  )
  const elsewhere = html`<p>The buyer has asked the bank for the money back. What the bank says was not kept here: sign in at your payment provider, where you see the reason and the date, and answer there. What is decided is booked here.</p>`
  return headedCard(
    'disputes',
    rows.length > 1 ? 'Disputes' : 'Dispute',
    rows.length === 0 ? elsewhere : html`${lines}`,
  )
}
