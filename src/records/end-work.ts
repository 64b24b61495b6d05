import { currentTimestamp } from '../contract/values/values.ts'
import { keepIdsUntil } from './background/rows.ts'
import { AT_WORK, endedAs } from './background/state.ts'
import type { InAccount } from './context.ts'
import { notePlanDecision } from './plan-decision.ts'
import { updateRowsOf } from './rows-of.ts'

/** Ends what revoked tokens or connections have begun: plans, background programs and subscriptions to events. */
export async function endWorkOf(account: InAccount, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return
  const subscriptions = updateRowsOf(account, 'webhook_endpoints').where('subscriber_token', 'in', tokens)
  await subscriptions.set({ status: 'disabled', expires_at: currentTimestamp() }).execute()
  const plans = updateRowsOf(account, 'program_plans').where('planner_token', 'in', tokens).where('state', '=', 'open')
  const withdrawn = { state: 'withdrawn', decided_at: currentTimestamp() } as const
  for (const { id } of await plans.set(withdrawn).returning('id').execute())
    await notePlanDecision(account, { plan: id, state: 'withdrawn', output: null })
  const stopped = { ...endedAs('stopped'), job: null, next_at: null, ...REVOKED }
  const programs = updateRowsOf(account, 'background_programs').where('token_id', 'in', tokens)
  const ended = programs.where('state', 'in', AT_WORK).set(stopped).returning(['id', 'expires_at'])
  for (const { id, expires_at } of await ended.execute()) await keepIdsUntil(account, id, expires_at)
}

const REVOKED = {
  error_type: 'permission_denied',
  error: 'Its maker has lost access: the API token was deleted, or the connection was ended.',
}
