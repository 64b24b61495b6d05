import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { keyOf } from './addresses.ts'
import type { FileRow } from './file.ts'

/** An upload may start just before its URL expires and then take this long. */
const LAST_UPLOAD_MS = 60 * 60 * 1000

export const removeBytes = job<{ store: string; key: string }>('remove_file_bytes', {
  work: ({ services }, { store, key }) => services.files.named(store).remove(key),
})

/** Removes the bytes after the commit, and again after the upload URL expires, because an external store accepts uploads until then. */
export async function discardBytes(context: Context, file: FileRow): Promise<void> {
  const { store, upload_status, upload_expires_at } = file
  if (store === null) return
  const bytes = { store, key: keyOf(file) }
  await context.enqueue(removeBytes, bytes)
  if (store === 'local' || upload_status !== 'pending' || upload_expires_at === null) return
  await context.enqueue(removeBytes, bytes, { runAt: laterBy(upload_expires_at, LAST_UPLOAD_MS) })
}
