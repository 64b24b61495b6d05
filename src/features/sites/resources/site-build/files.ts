import { createHash } from 'node:crypto'
import { arrayBuffer } from 'node:stream/consumers'
import { newId } from '../../../../contract/values/ids.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { fits, QUOTA_FULL } from '../../../../resources/content/file/settle.ts'
import { BuildFailedError, type SiteFile } from '../../providers/provider.ts'
import type { SiteFileRow } from '../../tables.ts'
import { AiSite } from '../ai-site/ai-site.ts'
import { SiteBuild, type SiteBuildRow } from './site-build.ts'

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
}

const PARALLEL_WRITES = 8

/** Stores the rows and then the bytes, because stored bytes need a row. Throws BuildFailedError if the account's storage is full. */
export async function keepFiles(job: JobContext, buildId: string, files: readonly SiteFile[]): Promise<void> {
  const kept = files.map((file) => ({ row: rowOf(job.accountId, buildId, file), bytes: file.bytes }))
  const rows = kept.map(({ row }) => row)
  const store = job.services.files.current
  await job.transaction((context) => noteFiles(context, buildId, rows, store.name))
  for (let start = 0; start < files.length; start += PARALLEL_WRITES) {
    job.signal.throwIfAborted()
    const some = kept.slice(start, start + PARALLEL_WRITES)
    await Promise.all(
      some.map(({ row, bytes }) =>
        store.write(bytesKey(row), chunksOf(bytes), { maxBytes: bytes.length, signal: job.signal }),
      ),
    )
  }
}

/** Throws BuildFailedError if the start page cannot be read from the store. */
export async function requireServed(job: JobContext, buildId: string): Promise<void> {
  const file = await job.read((context) => findFile(context, buildId, 'index.html'))
  const stream = file && (await job.services.files.current.read(bytesKey(file)))
  const bytes = stream && new Uint8Array(await arrayBuffer(stream))
  if (!bytes || hashOf(bytes) !== file.sha256)
    throw new BuildFailedError(['The start page could not be read back from the store of files. Build the site again.'])
}

async function findFile(context: Context, build: string, path: string): Promise<SiteFileRow | undefined> {
  const files = rowsOf(context, 'site_files').selectAll().where('build', '=', build)
  return files.where('path', '=', path).executeTakeFirst()
}

/** Returns the key of the file's bytes in the file store. */
export function bytesKey({ account_id, id }: Pick<SiteFileRow, 'account_id' | 'id'>): string {
  return `${account_id}/${id}`
}

async function noteFiles(context: Context, id: string, rows: SiteFileRow[], store: string): Promise<void> {
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  if (!(await fits(context, bytes))) throw new BuildFailedError([`${QUOTA_FULL} Delete files or sites first.`])
  const build = await findRow(context, SiteBuild, id)
  if (!build) return
  await changeRow(context, SiteBuild, build, { store, bytes, files_count: rows.length } satisfies Partial<SiteBuildRow>)
  for (const row of rows) await context.db.insertInto('site_files').values(row).execute()
}

function rowOf(account_id: string, build: string, { path, bytes }: SiteFile): SiteFileRow {
  const content = { content_type: contentTypeOf(path), size: bytes.length, sha256: hashOf(bytes) }
  return { account_id, build, path, id: newId('sitefile'), ...content }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** Returns the media type of a file. For an unknown extension, it is one that browsers download. */
function contentTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return (Object.hasOwn(TYPES, ending) && TYPES[ending]) || 'application/octet-stream'
}

const TIMEOUT_MS = 120_000
/** The number of builds that a site's history keeps. Most of them no longer have files. */
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

/** Returns the builds that a site neither shows nor can restore. Builds in progress are left out until they have ended. */
async function oldBuilds(context: Context, id: string): Promise<OldBuild[]> {
  const site = await findRow(context, AiSite, id)
  const builds = rowsOf(context, 'site_builds').select(['id', 'store']).where('site', '=', id)
  const shown = [site?.current_build, site?.previous_build]
  return (await builds.where('status', 'not in', ['building', 'removed']).execute()).filter(
    (build) => !shown.includes(build.id),
  )
}

async function deleteBuildRows(context: Context, site: string, old: readonly OldBuild[]): Promise<void> {
  // The empty string keeps the list from being empty, because database engines treat an empty list differently.
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
