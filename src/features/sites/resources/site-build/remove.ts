import type { Context } from '../../../../records/context.ts'
import { job } from '../../../../records/job.ts'
import { findRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { AiSite } from '../ai-site/ai-site.ts'
import { bytesKey } from './keep-files.ts'

const TIMEOUT_MS = 120_000
/** The number of builds in a site's history. Most of these builds no longer have files. */
const KEPT_BUILDS = 20

/** Enqueues the removal of builds that a site neither serves nor can restore. */
export function removeOldBuilds(context: Context, site: string): Promise<string> {
  return context.enqueue(removeBuilds, { site })
}

export const removeBuilds = job<{ site: string }>('site.remove_builds', {
  timeoutMs: TIMEOUT_MS,
  async work(job, { site }) {
    const old = await job.read((context) => oldBuilds(context, site))
    for (const { id, store } of old) {
      const files = await job.read((context) =>
        rowsOf(context, 'site_files').select(['account_id', 'id']).where('build', '=', id).execute(),
      )
      if (store !== null) for (const file of files) await job.services.files.named(store).remove(bytesKey(file))
    }
    await job.finish((context) => deleteBuildRows(context, site, old))
  },
})

interface OldBuild {
  id: string
  store: string | null
}

/** Builds in progress are left out; they are removed after their end. */
async function oldBuilds(context: Context, id: string): Promise<OldBuild[]> {
  const site = await findRow(context, AiSite, id)
  const builds = rowsOf(context, 'site_builds').select(['id', 'store']).where('site', '=', id)
  const shown = [site?.current_build, site?.previous_build]
  return (await builds.where('status', 'not in', ['building', 'removed']).execute()).filter(
    (build) => !shown.includes(build.id),
  )
}

async function deleteBuildRows(context: Context, site: string, old: readonly OldBuild[]): Promise<void> {
  // The list is never empty, because database engines treat an empty list differently.
  const ids = [...old.map(({ id }) => id), '']
  await deleteRowsOf(context, 'site_files').where('build', 'in', ids).execute()
  const removed = updateRowsOf(context, 'site_builds').where('id', 'in', ids).where('status', '=', 'complete')
  await removed.set({ status: 'removed' }).execute()
  if (!(await findRow(context, AiSite, site))) {
    const ended = deleteRowsOf(context, 'site_builds').where('site', '=', site).where('status', '!=', 'building')
    await ended.execute()
    return
  }
  const newest = rowsOf(context, 'site_builds').select('id').where('site', '=', site).orderBy('id', 'desc')
  const oldest = [...(await newest.offset(KEPT_BUILDS).limit(1000).execute()).map(({ id }) => id), '']
  const gone = deleteRowsOf(context, 'site_builds').where('status', 'in', ['removed', 'failed'])
  await gone.where('id', 'in', oldest).execute()
}
