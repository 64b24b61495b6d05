import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { FEE_EVENTS } from '../../sales/payment/events.ts'
import { documentsByFormation } from '../formation-document/keep.ts'
import { createFormation, requireWholeOwnership } from './create.ts'
import { Formation } from './formation.ts'
import { fileFormation } from './jobs.ts'
import { retryPayment } from './retry-payment.ts'
import { deriveFormations } from './show.ts'
import { submitFormation } from './submit.ts'

const { list, create, retrieve, action } = verbs(Formation)

export const formations = resource(Formation, {
  derive: deriveFormations,
  collections: { documents: documentsByFormation },
  jobs: [fileFormation],
  operations: [
    list({
      summary: 'List company formations',
      filters: {
        status: equals(Formation, 'status', 'Only formations in this status'),
        payment_status: equals(Formation, 'payment_status', 'Only formations whose payment is in this status'),
      },
    }),
    create({
      summary: 'Start a company formation',
      description:
        'Opens a checkout for its price, to be paid at checkout_url. Submit it once it is paid. The price is a fee of this service: it creates no order, customer or revenue of the account. If nobody files for the account, 400 invalid_state, and nothing is charged. Incomplete addresses, ownership that does not total 100 and unknown states are 422 at the field.',
      rate: 'slow',
      emits: ['formation.created', ...FEE_EVENTS],
      inTurn: true,
      checks: [{ fields: ['members'], check: (_, { members }) => members && requireWholeOwnership({ members }) }],
      rule: createFormation,
    }),
    retrieve({ summary: 'Show one formation' }),
    action('submit', {
      summary: 'Submit a paid formation to the filing agent',
      description:
        'Only while it is pending, or failed with its payment paid, which also clears provider_error. If it is unpaid (pay at checkout_url) or refunded, 400 invalid_state. The agent’s result comes later: the formation becomes completed, with its documents, or failed. Submitting it again has no effect.',
      emits: ['formation.submitted'],
      inTurn: true,
      rule: submitFormation,
    }),
    action('retry_payment', {
      id: 'retry_formation_payment',
      summary: 'Open a new payment for an unpaid formation',
      description:
        'Abandons its checkout, if still open, and opens a new one with a new checkout_url. While the checkout is being paid, and once it is paid or refunded, 400 invalid_state.',
      emits: ['formation.updated', ...FEE_EVENTS],
      inTurn: true,
      rule: retryPayment,
    }),
  ],
})
