import { isUser } from '../../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../../contract/values/values.ts'
import { compileForIds } from '../../../../database/compile-once.ts'
import { regionName } from '../../../../format/regions.ts'
import type { Context, Fee } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { changeRow, findRow, insertRow, requireRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { verbs } from '../../../../records/verbs.ts'
import { currentUser } from '../../../../resources/company/user/current.ts'
import { Checkout, type CheckoutRow } from '../../../../resources/sales/checkout/checkout.ts'
import { closeCheckout } from '../../../../resources/sales/checkout/close.ts'
import { openCheckout } from '../../../../resources/sales/checkout/create.ts'
import { type Line, NOT_FROM_CATALOG } from '../../../../resources/sales/checkout/line.ts'
import { price as priced } from '../../../../resources/sales/checkout/price.ts'
import { clientSecret } from '../../../../resources/sales/checkout/show.ts'
import { Order } from '../../../../resources/sales/order/order.ts'
import { documentsByFormation } from '../formation-document/contents.ts'
import { actionsOf, fileFormation, requireAgent } from './filing.ts'
import { Formation, type FormationRow } from './formation.ts'
import { sealNumbers, withoutTaxNumbers } from './tax-numbers.ts'

type PayableFormation = Pick<FormationRow, 'id' | 'state' | 'amount' | 'currency'>

type Input = CreateInput<typeof Formation>

const { list, create, retrieve, action } = verbs(Formation)

const formationFee: Fee = {
  requirePayable: requireAgent,

  async paid(context, id) {
    const formation = await requireRow(context, Formation, id)
    const changes = { payment_status: 'paid', status: 'pending' } as const
    context.emit(Formation, 'paid', await changeRow(context, Formation, formation, changes))
  },

  /** Deletes the tax numbers too, because the formation will never be filed. */
  async refunded(context, id) {
    const formation = await findRow(context, Formation, id)
    if (!formation) return
    await context.remember(Formation, [formation])
    const changes = { payment_status: 'refunded', sealed_tax_numbers: null } as const
    context.emit(Formation, 'updated', await changeRow(context, Formation, formation, changes))
  },

  async requireRefundable(context, id, isWhole) {
    const status = (await findRow(context, Formation, id))?.status
    if (status === 'submitted' || status === 'completed')
      throw new ApiError(
        'invalid_state',
        `This order paid for a formation that is ${status}, so it cannot be refunded.`,
      )
    if (status && !isWhole) throw invalid({ amount: ['must be the whole order, because it paid for a formation'] })
  },
}

export const formations = resource(Formation, {
  derive: deriveFormations,
  collections: { documents: documentsByFormation },
  jobs: [fileFormation],
  fee: formationFee,
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
      emits: ['formation.created', 'formation.paid'],
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
      emits: ['formation.updated', 'formation.paid'],
      inTurn: true,
      rule: retryPayment,
    }),
  ],
})

async function createFormation(context: Context, input: Input): Promise<FormationRow> {
  requireWholeOwnership(input)
  const agent = requireAgent(context)
  const { vault } = context.services
  const { people, numbers } = withoutTaxNumbers(input)
  const { amount, currency } = agent.priceOf(input)
  const members = people.members.map((member) => ({ ...member, contact_full_name: contactOf(member) }))
  const { id } = await insertRow(context, Formation, {
    ...{ ...input, ...people, members },
    ...{ amount, currency },
    founder: isUser(context.caller) ? context.caller.userId : null,
    sealed_tax_numbers: sealNumbers(vault, numbers),
    status: 'awaiting_payment',
    payment_status: 'unpaid',
  })
  const { id: checkout } = await openPayment(context, { id, state: input.state, amount, currency })
  // The checkout of a free formation is completed at once, so the row is read again: it may already be paid.
  const formation = await changeRow(context, Formation, await requireRow(context, Formation, id), { checkout })
  return context.emit(Formation, 'created', formation)
}

/** Throws a 422 unless the shares total 100 %. The sum uses integers, because floating-point sums may not be exact. */
function requireWholeOwnership({ members }: Pick<Input, 'members'>): void {
  const hundredths = members.reduce((all, { ownership_percent }) => all + Math.round(ownership_percent * 100), 0)
  if (hundredths !== 10_000)
    throw invalid({ members: [`must have an ownership_percent that totals 100 %, not ${hundredths / 100} %`] })
}

function contactOf({ contact_full_name, legal_first_name, legal_last_name }: Input['members'][number]): string {
  return contact_full_name ?? `${legal_first_name} ${legal_last_name}`
}

/** Submits a paid formation to the filing agent. A submitted or completed one stays unchanged. */
async function submitFormation(context: Context, formation: FormationRow): Promise<FormationRow> {
  if (formation.status === 'submitted' || formation.status === 'completed') return formation
  if (!actionsOf(formation).includes('submit'))
    throw new ApiError('invalid_state', `Cannot submit a formation whose payment is ${formation.payment_status}.`)
  requireAgent(context)
  await requireNotBeingRefunded(context, formation)
  const submitted = await changeRow(context, Formation, formation, {
    status: 'submitted',
    submitted_at: context.now,
    provider_error: null,
    submissions: formation.submissions + 1,
  })
  await context.enqueue(fileFormation, { formation: submitted.id, submission: submitted.submissions })
  return context.emit(Formation, 'submitted', submitted)
}

/** Throws while the order that paid for the formation is being refunded. Only formations of earlier versions have such orders. */
async function requireNotBeingRefunded(context: Context, { checkout }: FormationRow): Promise<void> {
  const { order } = await requireRow(context, Checkout, checkout!)
  if (order === null) return
  const { amount_refunding } = await requireRow(context, Order, order)
  if (amount_refunding > 0)
    throw new ApiError('invalid_state', 'Cannot submit a formation whose payment is being refunded.')
}

/** Opens a new checkout for an unpaid formation and abandons the previous one. */
async function retryPayment(context: Context, formation: FormationRow): Promise<FormationRow> {
  if (!actionsOf(formation).includes('retry_payment'))
    throw new ApiError('invalid_state', `Cannot retry a payment that is ${formation.payment_status}.`)
  requireAgent(context)
  await abandonCheckout(context, formation)
  const { id: checkout } = await openPayment(context, formation)
  const changed = await changeRow(context, Formation, formation, {
    checkout,
    status: 'awaiting_payment',
    provider_error: null,
  })
  return context.emit(Formation, 'updated', changed)
}

async function abandonCheckout(context: Context, { checkout: id }: FormationRow): Promise<void> {
  const checkout = id === null ? undefined : await findRow(context, Checkout, id)
  if (checkout?.status !== 'open') return
  if (checkout.paying !== null) throw new ApiError('invalid_state', 'This formation is already being paid.')
  await closeCheckout(context, checkout, 'abandoned')
}

/** Opens the checkout for the service's fee. The e-mail address is the caller's, and the buyer can change it in the checkout. */
async function openPayment(context: Context, formation: PayableFormation): Promise<CheckoutRow> {
  const email = isUser(context.caller) ? (await currentUser(context)).email : null
  return openCheckout(context, {
    priced: priced([lineOf(formation)], null, null),
    email,
    customer: null,
    values: { formation: formation.id },
  })
}

/** Returns the line item for the fee. The service sells it, so it has no product or price of the account. */
function lineOf({ state, amount, currency }: PayableFormation): Line {
  return {
    price_variant: NOT_FROM_CATALOG,
    product: NOT_FROM_CATALOG,
    product_name: `Company formation in ${regionName('US', state) ?? state}`,
    price_variant_name: 'Default',
    quantity: 1,
    unit_amount: amount,
    currency,
    custom: null,
    recurring: null,
    revoke_after_days: null,
  }
}

async function deriveFormations(rows: FormationRow[], context: Context): Promise<Derived[]> {
  const open = await openCheckouts(context, rows)
  return rows.map((row) => ({
    allowed_actions: actionsOf(row),
    checkout_url: row.checkout !== null && open.has(row.checkout) ? urlOf(context, row.checkout) : null,
  }))
}

async function openCheckouts({ db, accountId }: Context, rows: FormationRow[]): Promise<Set<string>> {
  const unpaid = rows.flatMap(({ checkout, payment_status }) =>
    payment_status === 'unpaid' && checkout ? checkout : [],
  )
  if (unpaid.length === 0) return new Set()
  return new Set((await openAmong(db, accountId, unpaid)).map(({ id }) => id))
}

const openAmong = compileForIds((db: Context['db'], accountId, ids) =>
  rowsOf({ db, accountId }, 'checkouts').select('id').where('id', 'in', ids).where('status', '=', 'open'),
)

function urlOf(context: Context, checkoutId: string): string {
  return inOnePiece(context.publicUrl, '/checkout/', clientSecret(context, checkoutId))
}
