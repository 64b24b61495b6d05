import type { Context } from '../../../records/context.ts'
import { findNamed } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { namesOf } from '../../company/user/names.ts'
import { connectionsOf } from '../payment/connection/find.ts'
import { providerTitle } from '../payment/connection/open.ts'
import { Payment } from '../payment/payment.ts'
import type { DisputeRow } from './dispute.ts'
import { isTooLate, isUnanswered } from './open.ts'

export async function deriveDisputes(rows: DisputeRow[], context: Context): Promise<Derived[]> {
  const payments = await findNamed(context, Payment, 'payment', rows)
  const people = await namesOf(
    context,
    rows.flatMap(({ responded_by }) => responded_by ?? []),
  )
  const connections = await connectionsOf(context)
  const titleOf = (name: string) => providerTitle(context, connections.find(({ id }) => id === name)?.provider ?? name)
  return rows.map((dispute) => ({
    provider: titleOf(payments.get(dispute.payment)?.provider ?? ''),
    can_be_answered: isUnanswered(dispute) && !isTooLate(context, dispute),
    can_be_accepted: isUnanswered(dispute),
    responded_by_name: people.get(dispute.responded_by ?? '')?.name ?? null,
  }))
}
