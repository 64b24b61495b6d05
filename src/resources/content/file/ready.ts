import { invalid } from '../../../contract/errors.ts'
import type { Context } from '../../../records/context.ts'
import { findRows, requireIds } from '../../../records/records.ts'
import { File } from './file.ts'

/** Ids of ready files from a body, in order and without repetition; a 404 for an unknown one, a 422 for one that is not ready. */
export async function requireReadyFiles(context: Context, ids: string[], param: string): Promise<string[]> {
  const wanted = await requireIds(context, File, ids, param)
  const found = await findRows(context, File, wanted)
  const notReady = ids.findIndex((id) => found.get(id)?.upload_status !== 'ready')
  if (notReady >= 0) throw invalid({ [`${param}.${notReady}`]: ['is not ready yet'] })
  return wanted
}
