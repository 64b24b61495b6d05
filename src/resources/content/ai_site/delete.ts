import type { Context } from '../../../records/context.ts'
import { deleteRow, findRow } from '../../../records/records.ts'
import { deleteTask } from '../../automation/task/delete.ts'
import { Task } from '../../automation/task/task.ts'
import { removeOldBuilds } from '../site_build/remove.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'

/** Nobody is to build it any more, so the task goes too. Its files are removed after the commit. */
export async function deleteSite(context: Context, site: AiSiteRow): Promise<void> {
  await deleteRow(context, AiSite, site)
  await removeOldBuilds(context, site.id)
  const task = site.build_task === null ? undefined : await findRow(context, Task, site.build_task)
  if (task) await deleteTask(context, task)
  context.emit(AiSite, 'deleted', site)
}
