import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireOpenBuild } from '../../content/ai_site/open.ts'
import { limitsAfter, ownerOf } from './owner.ts'
import { planNext } from './plan_next.ts'
import { requireSource } from './source.ts'
import { startRun } from './start_run.ts'
import { Task, type TaskRow } from './task.ts'
import { settleTrigger } from './trigger.ts'

/** What decides when it runs next. */
const PLANNING = ['trigger_type', 'cron_expression', 'interval_seconds', 'scheduled_at', 'timezone', 'active'] as const

/** Who writes the prompt answers for its programs, and whoever changes how they run bounds them. A manual task that becomes active starts a run. */
export async function updateTask(context: Context, task: TaskRow, given: Changes<typeof Task>): Promise<TaskRow> {
  await requireOpenBuild(context, task.id)
  await requireSource(context, given)
  const trigger = settleTrigger(context, given, task)
  const owner = given.prompt === undefined ? {} : ownerOf(context)
  const methods = given.delivery_methods && { delivery_methods: [...new Set(given.delivery_methods)] }
  const changed = await changeRow(context, Task, task, { ...given, ...trigger, ...methods, ...owner })
  const bounded = await changeRow(context, Task, changed, { limits: limitsAfter(context, task, changed) })
  const updated = await plannedAnew(context, task, bounded)
  context.emit(Task, 'updated', updated)
  return updated
}

async function plannedAnew(context: Context, before: TaskRow, changed: TaskRow): Promise<TaskRow> {
  const isPlanned = PLANNING.some((name) => changed[name] !== before[name])
  if (!isPlanned && changed.expires_at === before.expires_at) return changed
  const begun = isPlanned ? await changeRow(context, Task, changed, { scheduled_from: context.now }) : changed
  const planned = await planNext(context, begun)
  return startsManually(planned) && !startsManually(before) ? (await startRun(context, planned)).task : planned
}

function startsManually({ trigger_type, active }: TaskRow): boolean {
  return trigger_type === 'manual' && active
}
