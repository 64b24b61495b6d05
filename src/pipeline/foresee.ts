import type { Consequence } from '../contract/declarations/consequence.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Context } from '../records/context.ts'
import type { JobType } from '../records/job.ts'
import { rowsOf } from '../records/rows-of.ts'

/** What calls have left in an open transaction for those who work after its commit. */
export interface Left {
  /** Ids of jobs. */
  jobs: string[]
  /** Lanes of those that are due now; absent where it is not known which. */
  lanes?: ReadonlySet<JobRow['lane']> | undefined
  /** Webhook deliveries. */
  deliveries: number
}

export const NOTHING_LEFT: Left = { jobs: [], deliveries: 0 }

/** Whether anybody has to work after the commit. */
export function isLeft({ jobs, lanes, deliveries }: Left): boolean {
  return (lanes?.size ?? jobs.length) > 0 || deliveries > 0
}

/** Below the parameters that a statement can have on either engine. */
const IDS_PER_QUERY = 500

/**
 * What an open transaction brings about outside once it is committed, as its jobs say of themselves. Those that were canceled since,
 * and those of a later moment, bring about nothing.
 */
export async function foresee(
  context: Context,
  types: ReadonlyMap<string, JobType<unknown>>,
  { jobs: ids, deliveries }: Left,
): Promise<Consequence[]> {
  const foreseen: Consequence[] = []
  const due = await dueJobs(context, ids)
  for (const [name, rows] of Map.groupBy(due, (row) => row.name)) {
    const payloads = rows.map(({ payload }) => JSON.parse(payload))
    foreseen.push(...((await types.get(name)?.foresee?.(context, payloads)) ?? []))
  }
  return [...foreseen, ...Array.from({ length: deliveries }, () => ({ kind: 'webhook' }) as const)]
}

async function dueJobs(context: Context, ids: string[]): Promise<Pick<JobRow, 'name' | 'payload'>[]> {
  const found = []
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = rowsOf(context, 'jobs').select(['name', 'payload']).where('state', '=', 'due')
    found.push(...(await some.where('id', 'in', ids.slice(start, start + IDS_PER_QUERY)).execute()))
  }
  return found
}
