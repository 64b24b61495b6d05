import { invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows, requireIds } from '../../../records/records.ts'
import { File } from './file.ts'

/** Ids of ready files from a body, in order and without repetition; a 404 for an unknown one, a 422 for one that is not ready. */
export async function requireReadyFiles(context: Context, ids: string[], param: string): Promise<string[]> {
  const wanted = await requireIds(context, File, ids, param)
  const found = await findRows(context, File, wanted)
  for (const [at, id] of ids.entries()) {
    const status = found.get(id)?.upload_status
    if (status !== 'ready') throw invalid({ [`${param}.${at}`]: [`is not ready: its upload_status is ${status}`] })
  }
  return wanted
}
