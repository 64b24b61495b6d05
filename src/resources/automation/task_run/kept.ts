import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { TaskRunRow } from './task_run.ts'

/** Whether changes of a run's program are committed already: by itself, or by somebody who has applied its plan. */
export async function hasCommitted(context: Context, run: TaskRunRow): Promise<boolean> {
  return run.kept || (await stateOfPlan(context, run.plan)) === 'applied'
}

/** A run whose changes are committed comes to its end by itself. Throws `invalid_state`. */
export async function refuseCommitted(context: Context, run: TaskRunRow): Promise<void> {
  if (await hasCommitted(context, run))
    throw new ApiError('invalid_state', 'The run has already committed its changes, so its status cannot be changed.')
}

/** Undefined where there is no such plan. */
export async function stateOfPlan(context: Context, plan: string | null | undefined): Promise<string | undefined> {
  if (!plan) return undefined
  const plans = rowsOf(context, 'program_plans').select('state').where('id', '=', plan)
  return (await plans.executeTakeFirst())?.state
}
