import type { Consequence } from '../contract/declarations/consequence.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Context } from '../records/context.ts'
import type { JobType } from '../records/job.ts'
import { rowsOf } from '../records/rows-of.ts'

export interface PostCommitWork {
  jobs: string[]
  /** The lanes (job queues) of the jobs that are due now; absent if they are unknown. */
  lanes?: ReadonlySet<JobRow['lane']> | undefined
  deliveries: number
}

export const NO_POST_COMMIT_WORK: PostCommitWork = { jobs: [], deliveries: 0 }

export function hasPostCommitWork({ jobs, lanes, deliveries }: PostCommitWork): boolean {
  return (lanes?.size ?? jobs.length) > 0 || deliveries > 0
}

/** The maximum number of ids in a query. Both database engines allow more parameters than this. */
const IDS_PER_QUERY = 500

/** Returns the external side effects of a transaction after its commit. Canceled jobs and jobs that are due later are omitted. */
export async function foresee(
  context: Context,
  types: ReadonlyMap<string, JobType<unknown>>,
  { jobs: ids, deliveries }: PostCommitWork,
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
