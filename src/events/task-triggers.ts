import type { RunOrigin } from '../contract/declarations/caller.ts'
import type { Context } from '../records/context.ts'
import { insertJob } from '../records/enqueue.ts'
import { rowsOf } from '../records/rows-of.ts'
import type { WrittenEvent } from './change.ts'

/** The job that starts the task runs which an event triggers, after the commit that wrote the event. */
export const START_EVENT_RUN = { name: 'start_event_run', lane: 'due' } as const

export interface TriggeredRuns {
  event: string
  tasks: string[]
}

/** Returns the ids of the enqueued jobs. Events that a task's own runs caused, even through other tasks, do not trigger the task. */
export async function triggerTasks(context: Context, events: WrittenEvent[]): Promise<string[]> {
  const tasks = await waitingTasks(context)
  const jobs: string[] = []
  for (const { id: event, row, change } of events) {
    const origin = originOf(context, row)
    const waiting = tasks.filter(({ id, types }) => types.includes(change.type) && !origin?.tasks.includes(id))
    if (waiting.length === 0) continue
    const runs: TriggeredRuns = { event, tasks: waiting.map(({ id }) => id) }
    jobs.push(await insertJob(context, START_EVENT_RUN, runs, origin ? { origin } : {}))
  }
  return jobs
}

async function waitingTasks(context: Context): Promise<{ id: string; types: string[] }[]> {
  const tasks = rowsOf(context, 'tasks').select(['id', 'event_types']).where('trigger_type', '=', 'event')
  const active = await tasks.where('active', '=', 1).orderBy('id').execute()
  return active.map(({ id, event_types }) => ({ id, types: JSON.parse(event_types) as string[] }))
}

/** Returns the task run that caused an event. Events about a run are caused by that run, even if an external agent reports them. */
function originOf({ caller }: Context, row: object): RunOrigin | undefined {
  const { id, chain, task_id } = row as { id: string; chain?: string[]; task_id?: string }
  if (chain === undefined || task_id === undefined) return caller.origin
  return { run: id, tasks: [...new Set([...(caller.origin?.tasks ?? []), ...chain, task_id])] }
}
