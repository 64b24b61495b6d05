import { isUser } from '../../../contract/declarations/caller.ts'
import { invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow, requireRow } from '../../../records/records.ts'
import { requireAgent } from './actions.ts'
import { Formation, type FormationRow } from './formation.ts'
import { openPayment } from './payment.ts'
import { sealNumbers, withoutTaxNumbers } from './tax-numbers.ts'

type Input = CreateInput<typeof Formation>

export async function createFormation(context: Context, input: Input): Promise<FormationRow> {
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
  context.emit(Formation, 'created', formation)
  return formation
}

/** Throws a 422 unless the shares total 100 %. The sum uses integers, because floating-point sums may not be exact. */
export function requireWholeOwnership({ members }: Pick<Input, 'members'>): void {
  const hundredths = members.reduce((all, { ownership_percent }) => all + Math.round(ownership_percent * 100), 0)
  if (hundredths !== 10_000)
    throw invalid({ members: [`must have an ownership_percent that totals 100 %, not ${hundredths / 100} %`] })
}

function contactOf({ contact_full_name, legal_first_name, legal_last_name }: Input['members'][number]): string {
  return contact_full_name ?? `${legal_first_name} ${legal_last_name}`
}
