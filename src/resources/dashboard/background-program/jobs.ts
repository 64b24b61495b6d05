import { AT_WORK, CONTINUE, enqueueBatch } from '../../../records/background/state.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'

/** A batch may run for 5 seconds and may wait for a free sandbox first. */
const TIMEOUT_MS = 15_000
/** Enough attempts to outlast restarts of the service and long outages of the database. */
const ATTEMPTS = 100

/** Runs one batch of rows. The next batch is a job of its own, so that other jobs can run in between. */
export const continueBackground = job<{ program: string }>(CONTINUE.name, {
  timeoutMs: TIMEOUT_MS,
  attempts: ATTEMPTS,
  async work(job, { program }) {
    const { jobId, accountId, services, signal } = job
    const { again, afterMs } = await services.programs.continueBackground({ accountId, program, jobId }, signal)
    if (again) await job.finish((context) => enqueueNext(context, { program, jobId, afterMs }))
  },
})

interface NextBatch {
  program: string
  jobId: string
  afterMs: number
}

/** Enqueues the next batch, unless the program was stopped or another job has continued it. */
async function enqueueNext(context: Context, { program, jobId, afterMs }: NextBatch): Promise<void> {
  const mine = rowsOf(context, 'background_programs').select(['id', 'origin']).where('id', '=', program)
  const row = await mine.where('job', '=', jobId).where('state', 'in', AT_WORK).executeTakeFirst()
  if (!row) return
  const next = await enqueueBatch(context, row, afterMs)
  await updateRowsOf(context, 'background_programs').set({ job: next }).where('id', '=', program).execute()
}
