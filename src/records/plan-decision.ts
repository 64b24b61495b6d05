import { currentTimestamp } from '../contract/values/values.ts'
import { dropPlanned } from './background/keep.ts'
import type { InAccount } from './context.ts'
import { insertJob } from './enqueue.ts'
import { rowsOf } from './rows-of.ts'

/** The name of the job that ends a task run whose plan was applied, rejected or withdrawn directly instead of through the run. */
export const PLAN_DECIDED = 'task_plan_decided'

export interface PlanDecision {
  plan: string
  state: 'applied' | 'rejected' | 'withdrawn'
  output: string | null
}

const MAX_OUTPUT = 20_000

/** Enqueues `PLAN_DECIDED` if a task run waits for the plan. Deletes the plan's background program unless it was applied. */
export async function notePlanDecision(place: InAccount, { plan, state, output }: PlanDecision): Promise<void> {
  if (state !== 'applied') await dropPlanned(place, plan)
  const waiting = rowsOf(place, 'task_runs').select('id').where('plan', '=', plan).where('status', '=', 'needs_input')
  if (!(await waiting.executeTakeFirst())) return
  const now = currentTimestamp()
  const decision = { plan, state, output: output?.slice(0, MAX_OUTPUT) ?? null }
  const moments = { now, realNow: now, test: false }
  await insertJob({ ...place, ...moments }, { name: PLAN_DECIDED, lane: 'due' }, decision, {})
}
