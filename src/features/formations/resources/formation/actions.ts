import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import type { FilingAgent } from '../../providers/provider.ts'
import { Formation, type FormationRow } from './formation.ts'

const NOBODY_FILES =
  'Nobody files formations for live accounts on this service, so nothing is charged. Ask whoever runs it to set that up; a test account can try one out.'

type FormationState = Pick<FormationRow, 'status' | 'payment_status'>

export function actionsOf({ status, payment_status }: FormationState): string[] {
  const isFiled = status === 'submitted' || status === 'completed'
  return Formation.states![status]!.filter((action) =>
    action === 'submit' ? isFiled || payment_status === 'paid' : payment_status === 'unpaid',
  )
}

/** Throws a 400 when the account has no filing agent, because nobody should pay for a formation that cannot be filed. */
export function requireAgent({ services, test }: Pick<Context, 'services' | 'test'>): FilingAgent {
  const agent = services.filings.agentFor({ test })
  if (agent) return agent
  throw new ApiError('invalid_state', NOBODY_FILES)
}
