import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows, requireIds } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { fileUrl, merchantFileUrl } from './addresses.ts'
import { File, type FileRow } from './file.ts'

export function deriveFiles(files: FileRow[], context: Context): Derived[] {
  return files.map((file) => ({
    source_type: file.url === null ? 'upload' : 'external',
    file_url: merchantFileUrl(context, file),
  }))
}

export function galleryEntry(context: Context, file: FileRow): { id: string; type: string; url: string | null } {
  const type = file.content_type?.split('/')[0] ?? file.kind
  return { id: file.id, type, url: fileUrl(context, file) ?? file.url }
}

/** Returns the ids without duplicates. Throws a 404 for an unknown file and a 422 for one that is not ready. */
export async function requireReadyFiles(context: Context, ids: string[], param: string): Promise<string[]> {
  const wanted = await requireIds(context, File, ids, param)
  const found = await findRows(context, File, wanted)
  for (const [at, id] of ids.entries()) {
    const status = found.get(id)?.upload_status
    if (status !== 'ready') throw invalid({ [`${param}.${at}`]: [`is not ready: its upload_status is ${status}`] })
  }
  return wanted
}
