import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRow } from '../../../records/records.ts'
import { File, type FileRow } from './file.ts'
import { discardBytes } from './remove-bytes.ts'
import { findBlockingUse } from './uses.ts'

/** Throws if the file is in use. Its bytes are removed after the commit. */
export async function deleteFile(context: Context, file: FileRow): Promise<void> {
  const user = await findBlockingUse(context, file.id)
  if (user !== null) throw new ApiError('resource_in_use', `The file is used in ${user}. Remove it there first.`)
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  await deleteRow(context, File, file)
  await discardBytes(context, file)
  context.emit(File, 'deleted', file)
}
