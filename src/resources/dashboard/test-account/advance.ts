import { ClockError, refuseTarget } from '../../../clock/advance.ts'
import { afterDuration } from '../../../clock/durations.ts'
import { askForAdvance } from '../../../clock/requests.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import type { TestAccountSummary } from '../../company/account/life/test-accounts.ts'
import { requireManaged, requireTestAccount } from './own.ts'

export interface Distance {
  to?: string | null
  count?: number | null
  unit?: string | null
}

/** Requests that a test account's clock be advanced. A server begins within a second or two. */
export async function advanceTestAccount(
  context: Context,
  id: string,
  distance: Distance,
): Promise<TestAccountSummary> {
  const { clock, state, target } = await requireManaged(context, id)
  if (state === 'moving' || state === 'requested')
    throw new ApiError('invalid_state', `The clock is already being moved to ${target}. Wait for it to finish.`)
  const to = targetOf(clock, distance)
  try {
    refuseTarget(clock, to)
  } catch (error) {
    if (error instanceof ClockError) throw invalid({ to: [error.message] })
    throw error
  }
  await askForAdvance(context.db, id, to)
  return requireTestAccount(context, id)
}

function targetOf(clock: string, { to, count, unit }: Distance): string {
  if (to) return to
  if (!count || !unit) throw invalid({ to: ['is missing: send a time, or a count and a unit'] })
  const after = afterDuration(clock, String(count), unit)
  if (after === null) throw invalid({ count: ['leads to an invalid time'] })
  return after
}
