import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { File, type FileRow } from './file.ts'
import type { Inspected } from './inspect.ts'
import { fits, QUOTA_FULL } from './quota.ts'
import { discardBytes } from './remove_bytes.ts'

/** Makes a file ready whose bytes are there, unless there is no room for them. */
export async function settleFile(context: Context, file: FileRow, contents: Inspected): Promise<FileRow> {
  if (!(await fits(context, contents.size, file.id))) return failFile(context, file, QUOTA_FULL)
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  const ready = await changeRow(context, File, file, {
    upload_status: 'ready',
    size: contents.size,
    stored_bytes: contents.size,
    checksum: contents.sha256,
    detected_type: contents.type,
    ...contents.measures,
    content_type: typeOf(file, contents),
    expire_job: null,
  })
  context.emit(File, 'ready', ready)
  return ready
}

/** Gives a file up; its bytes are removed after the commit. */
export async function failFile(context: Context, file: FileRow, error_message: string): Promise<FileRow> {
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  const gone = { upload_status: 'failed', error_message, stored_bytes: 0, expire_job: null } as const
  const failed = await changeRow(context, File, file, gone)
  await discardBytes(context, file)
  context.emit(File, 'failed', failed)
  return failed
}

/** Kinds of text have no signature, so there the client's word is taken; for everything else the bytes decide. */
function typeOf({ declared_type }: FileRow, { type, isText }: Inspected): string {
  if (type !== null) return type
  if (!isText) return 'application/octet-stream'
  return declared_type !== null && TEXT_TYPE.test(declared_type) ? declared_type : 'text/plain'
}

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|yaml|toml|sql|javascript|x-\w+-script|[\w.-]+\+(json|xml))\b|image\/svg\+xml\b)/i
