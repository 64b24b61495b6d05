import { invalid } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000

/** Why no post can be planned for a time, or null. */
export function timeProblem({ now }: Pick<Context, 'now'>, scheduled_at: string): string | null {
  if (scheduled_at <= now) return 'must be in the future'
  return scheduled_at > laterBy(now, YEAR_MS) ? 'must be within a year' : null
}

/** Throws a 422 for a time that no post can be planned for. */
export function requirePlannable(context: Pick<Context, 'now'>, scheduled_at: string): void {
  const problem = timeProblem(context, scheduled_at)
  if (problem !== null) throw invalid({ scheduled_at: [problem] })
}
