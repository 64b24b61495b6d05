import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import type { Context } from '../../../records/context.ts'
import type { TaskUse } from '../../../records/extensions.ts'
import type { TaskRunRow } from '../task-run/task-run.ts'

function usesOf({ services }: Context): readonly TaskUse<Context>[] {
  return services.taskUses
}

/** Throws `permission_denied` unless the feature that has created the task allows the change. */
export async function requireAllowed(context: Context, task: string): Promise<void> {
  for (const use of usesOf(context)) await use.requireAllowed(context, task)
}

/** Enqueues the job of a feature that carries out the run. Returns its id, or null if there is none. */
export async function enqueueForFeature(context: Context, run: TaskRunRow, origin: RunOrigin): Promise<string | null> {
  for (const use of usesOf(context)) {
    const job = await use.enqueue(context, run, origin)
    if (job !== null) return job
  }
  return null
}

/** Tells features that a run was claimed or has ended. */
export async function followRun(context: Context, run: TaskRunRow): Promise<void> {
  for (const use of usesOf(context)) await use.follow(context, run)
}

/** Tells features that a task was deleted. */
export async function forgetTask(context: Context, task: string): Promise<void> {
  for (const use of usesOf(context)) await use.forget(context, task)
}

export async function tasksOfFeatures(context: Context, tasks: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  if (tasks.length === 0) return found
  for (const use of usesOf(context)) for (const id of await use.among(context, tasks)) found.add(id)
  return found
}
