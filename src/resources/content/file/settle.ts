import { sql } from 'kysely'
import { bytesInWords } from '../../../format/sizes.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { File, type FileRow } from './file.ts'
import type { Inspected } from './inspect.ts'
import { discardBytes } from './remove-bytes.ts'

/** The limit on the files of one account, including those of features: some hundred hours of course videos. */
const ACCOUNT_BYTES = 50_000_000_000

export const QUOTA_FULL = `The account’s files would exceed ${bytesInWords(ACCOUNT_BYTES)}.`

/** Marks a file as ready, or as failed if the account's storage is full. */
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

/** The bytes are removed after the commit. */
export async function failFile(context: Context, file: FileRow, error_message: string): Promise<FileRow> {
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  const gone = { upload_status: 'failed', error_message, stored_bytes: 0, expire_job: null } as const
  const failed = await changeRow(context, File, file, gone)
  await discardBytes(context, file)
  context.emit(File, 'failed', failed)
  return failed
}

/** Text formats have no signature, so the declared type applies to text. */
function typeOf({ declared_type }: FileRow, { type, isText }: Inspected): string {
  if (type !== null) return type
  if (!isText) return 'application/octet-stream'
  return declared_type !== null && TEXT_TYPE.test(declared_type) ? declared_type : 'text/plain'
}

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|yaml|toml|sql|javascript|x-\w+-script|[\w.-]+\+(json|xml))\b|image\/svg\+xml\b)/i

type StorageContext = Pick<Context, 'db' | 'accountId' | 'services'>

/** Whether the account may store `bytes` more. The file with the id `except` is not counted. */
export async function fits(context: StorageContext, bytes: number, except = ''): Promise<boolean> {
  const { total } = await rowsOf(context, 'files')
    .where('id', '!=', except)
    .select(sql<number | string | null>`sum(stored_bytes)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total ?? 0) + (await storedByFeatures(context)) + bytes <= ACCOUNT_BYTES
}

async function storedByFeatures({ db, accountId, services }: StorageContext): Promise<number> {
  let bytes = 0
  for (const files of services.storedFiles) {
    const { rows } = await sql<{ total: number | string | null }>`
      select sum(size) as total from (${files}) as stored where account_id = ${accountId}`.execute(db)
    bytes += Number(rows[0]?.total ?? 0)
  }
  return bytes
}
