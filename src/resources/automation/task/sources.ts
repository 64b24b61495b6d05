import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findNamed, findRows, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { EventSource } from '../event-source/event-source.ts'
import { Task, type TaskRow } from './task.ts'

export async function sourceIsUsed(context: Context, id: string): Promise<boolean> {
  return (await activeTasksOf(context, id)).length > 0
}

export async function requireSource(context: Context, { event_source: id }: Changes<typeof Task>): Promise<void> {
  if (id != null) await requireRow(context, EventSource, id, 'event_source')
}

/** Removes an event source from its tasks before the source is deleted. */
export async function forgetSource(context: Context, id: string): Promise<void> {
  const rows = await rowsOf(context, 'tasks').select('id').where('event_source', '=', id).execute()
  const found = await findNamed(context, Task, 'id', rows)
  const tasks = [...found.values()]
  await context.remember(Task, tasks)
  for (const task of tasks) context.emit(Task, 'updated', await changeRow(context, Task, task, { event_source: null }))
}

export async function activeTasksOf(context: Context, source: string): Promise<TaskRow[]> {
  const tasks = rowsOf(context, 'tasks').select('id').where('event_source', '=', source).where('active', '=', 1)
  const ids = (await tasks.orderBy('id').execute()).map(({ id }) => id)
  const found = [...(await findRows(context, Task, ids)).values()]
  return found.filter(({ expires_at }) => expires_at === null || expires_at > context.now)
}
