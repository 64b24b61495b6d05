import { cut } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { createTask } from '../../automation/task/create.ts'
import { originOf } from '../../automation/task_run/enqueue.ts'
import { TaskRun } from '../../automation/task_run/task_run.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'
import { findBuilder } from './find_builder.ts'
import { briefOf, enqueueBuild } from './order.ts'

const MAX_TASK_NAME = 100

/** Makes the task that builds a site, and lets its first run be carried out where this service builds the site by itself. */
export async function startBuilding(context: Context, site: AiSiteRow): Promise<AiSiteRow> {
  const brief = briefOf(site)
  const builder = await findBuilder(context, brief)
  const task = await createTask(context, {
    name: cut(`Build site ${site.name}`, MAX_TASK_NAME),
    prompt: builder.instructionsFor(brief),
    ...{ trigger_type: 'manual', approval_mode: 'auto', trust_events: false, active: true, timezone: 'UTC' },
    ...{ event_types: [], delivery_methods: [] },
  })
  const linked = await changeRow(context, AiSite, site, { build_task: task.id })
  const run = task.last_run && (await findRow(context, TaskRun, task.last_run))
  if (run) await enqueueBuild(context, run, originOf(run))
  return linked
}
