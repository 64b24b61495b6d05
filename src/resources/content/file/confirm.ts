import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { FileTooLargeError } from '../../../providers/files/provider.ts'
import type { Context, OutsideContext } from '../../../records/context.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { File, type FileRow, MAX_UPLOAD_BYTES } from './file.ts'
import { type Inspected, inspectFile } from './inspect.ts'
import { failFile, settleFile } from './settle.ts'

/** Inspects the uploaded bytes and marks the file as ready or failed. Has no effect on a file that is ready. */
export async function confirmUpload(context: OutsideContext, { path }: { path: { id: string } }): Promise<FileRow> {
  const file = await findRow(context, File, path.id)
  if (!file) throw missingResource(File.name)
  if (isDone(file)) return file
  const found = await contentsOf(context, file)
  return context.transaction((part) => settleOnce(part, file.id, found))
}

/** Checks the status again, because another request may have confirmed the upload meanwhile. */
async function settleOnce(context: Context, id: string, found: Inspected | FileTooLargeError): Promise<FileRow> {
  const file = await requireRow(context, File, id)
  if (isDone(file)) return file
  return found instanceof FileTooLargeError ? failFile(context, file, found.message) : settleFile(context, file, found)
}

/** Throws `invalid_state` if the file cannot be confirmed. */
function isDone({ source, upload_status }: FileRow): boolean {
  if (source === 'upload' && upload_status === 'ready') return true
  if (source === 'upload' && upload_status === 'pending') return false
  const what = source === 'upload' ? `the upload has ${upload_status}` : 'the file was not uploaded'
  throw new ApiError('invalid_state', `Only pending uploads can be confirmed: ${what}.`)
}

async function contentsOf(context: OutsideContext, file: FileRow): Promise<Inspected | FileTooLargeError> {
  try {
    const found = await inspectFile(context, file, { maxBytes: MAX_UPLOAD_BYTES })
    if (found) return found
  } catch (error) {
    if (error instanceof FileTooLargeError) return error
    throw error
  }
  throw new ApiError('invalid_state', 'No bytes have arrived yet. PUT them to the upload_url of the create first.')
}
