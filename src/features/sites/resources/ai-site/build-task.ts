import type { Context } from '../../../../records/context.ts'
import type { TaskUse } from '../../../../records/extensions.ts'
import { rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { BUILD_EVENTS, enqueueBuild, followBuild, siteOfTask } from './build.ts'
import { requireOpen } from './open.ts'

/** The tasks that build sites. Only people who may visit a site may change its task. */
export const buildTasks: TaskUse<Context> = {
  events: BUILD_EVENTS,
  enqueue: enqueueBuild,
  follow: followBuild,
  async among(context, tasks) {
    const sites = rowsOf(context, 'sites').select('build_task').where('build_task', 'in', tasks)
    return (await sites.execute()).flatMap(({ build_task }) => build_task ?? [])
  },
  async requireAllowed(context, task) {
    const site = await siteOfTask(context, task)
    if (site) requireOpen(context, site)
  },
  async forget(context, task) {
    await updateRowsOf(context, 'sites').set({ build_task: null }).where('build_task', '=', task).execute()
  },
}
