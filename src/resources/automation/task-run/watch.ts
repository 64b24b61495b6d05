import type { JobContext } from '../../../records/job.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** The interval at which a job checks whether its run was canceled. Most programs end before the first check. */
const CHECK_INTERVAL_MS = 250

/** Returns a signal that aborts when the run is canceled, or deleted with its account. */
export function watchRun(job: JobContext, id: string): { signal: AbortSignal; end(): void } {
  const canceled = new AbortController()
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      if (!(await isRunning(job, id))) canceled.abort()
    } catch {
      // Errors are ignored, because the transaction that commits the program's changes checks the run again.
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, CHECK_INTERVAL_MS)
  return { signal: AbortSignal.any([job.signal, canceled.signal]), end: () => clearInterval(timer) }
}

function isRunning(job: JobContext, id: string): Promise<boolean> {
  return job.read(async (context) => {
    const run = rowsOf(context, 'task_runs').select('status').where('id', '=', id)
    return (await run.executeTakeFirst())?.status === 'running'
  })
}
