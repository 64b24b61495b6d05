import type { Context } from '../../../records/context.ts'
import { queueFormationEnd } from '../../messages/email/service_mail.ts'
import { usersOfAccount } from '../user/current.ts'
import type { FormationRow } from './formation.ts'

/** Writes to whoever started a formation, or else to the owners of the account, how its filing ended. */
export async function tellEnd(context: Context, formation: FormationRow): Promise<void> {
  const people = await usersOfAccount(context)
  const founders = people.filter(({ id }) => id === formation.founder)
  const told = founders.length > 0 ? founders : people.filter(({ role }) => role === 'owner')
  const { id, status, state, ein, provider_error: reason, name_options, payment_status } = formation
  const [first] = name_options
  const data = {
    id,
    name: `${first!.name} ${first!.entity_type_ending}`,
    ...{ state, ein, reason, completed: status === 'completed', refunded: payment_status === 'refunded' },
    url: `${context.publicUrl}/dashboard`,
  }
  for (const { email: to } of told) await queueFormationEnd(context, { to, customer: null }, data)
}
