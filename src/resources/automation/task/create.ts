import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { ownerOf } from './owner.ts'
import { planNext } from './plan_next.ts'
import { requireSource } from './source.ts'
import { startRun } from './start_run.ts'
import { Task, type TaskRow } from './task.ts'
import { settleTrigger } from './trigger.ts'

/** Each event of an account is compared with its tasks. */
const MOST_TASKS = 500

/** A manual one starts its first run. */
export async function createTask(context: Context, input: CreateInput<typeof Task>): Promise<TaskRow> {
  await requireSource(context, input)
  const trigger = settleTrigger(context, input)
  await requireRoom(context)
  const task = await insertRow(context, Task, {
    ...input,
    ...trigger,
    ...ownerOf(context),
    delivery_methods: [...new Set(input.delivery_methods)],
    scheduled_from: context.now,
    runs_count: 0,
  })
  const planned = await planNext(context, task)
  const isStarted = planned.active && planned.trigger_type === 'manual'
  const created = isStarted ? (await startRun(context, planned)).task : planned
  context.emit(Task, 'created', created)
  return created
}

async function requireRoom(context: Context): Promise<void> {
  const tasks = rowsOf(context, 'tasks').select(sql<number>`count(*)`.as('count'))
  const { count } = await tasks.executeTakeFirstOrThrow()
  if (Number(count) >= MOST_TASKS)
    throw invalid({ base: [`An account has at most ${MOST_TASKS} tasks; delete one first`] })
}
