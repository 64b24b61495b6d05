import { sql } from 'kysely'
import { laterBy } from '../../../contract/values/values.ts'
import { bytesInWords } from '../../../format/sizes.ts'
import type { Contents, WriteOptions } from '../../../providers/files/provider.ts'
import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Services } from '../../../records/services.ts'
import { fileKey } from './addresses.ts'
import { File, type FileRow } from './file.ts'

/** The limit on the files of one account, including those of features: a few hundred hours of course videos. */
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
  return context.emit(File, 'ready', ready)
}

/** Marks a file as failed. Its bytes are removed after the commit. */
export async function failFile(context: Context, file: FileRow, error_message: string): Promise<FileRow> {
  if (file.expire_job !== null) await context.cancel(file.expire_job)
  const gone = { upload_status: 'failed', error_message, stored_bytes: 0, expire_job: null } as const
  const failed = await changeRow(context, File, file, gone)
  await discardBytes(context, file)
  return context.emit(File, 'failed', failed)
}

/** Returns the media type of a file. Text formats have no signature, so the declared type applies to text. */
function typeOf({ declared_type }: FileRow, { type, isText }: Inspected): string {
  if (type !== null) return type
  if (!isText) return 'application/octet-stream'
  return declared_type !== null && TEXT_TYPE.test(declared_type) ? declared_type : 'text/plain'
}

const TEXT_TYPE =
  /^(text\/|application\/(json|xml|yaml|toml|sql|javascript|x-\w+-script|[\w.-]+\+(json|xml))\b|image\/svg\+xml\b)/i

type StorageContext = Pick<Context, 'db' | 'accountId' | 'services'>

/** Returns whether the account may store `bytes` more. The file with the id `except` is not counted. */
export async function fits(context: StorageContext, bytes: number, except = ''): Promise<boolean> {
  const { total } = await rowsOf(context, 'files')
    .where('id', '!=', except)
    .select(sql<number>`coalesce(sum(stored_bytes), 0)`.as('total'))
    .executeTakeFirstOrThrow()
  return total + (await storedByFeatures(context)) + bytes <= ACCOUNT_BYTES
}

async function storedByFeatures({ db, accountId, services }: StorageContext): Promise<number> {
  let bytes = 0
  for (const files of services.storedFiles) {
    const { rows } = await sql<{ total: number | null }>`
      select sum(size) as total from (${files}) as stored where account_id = ${accountId}`.execute(db)
    bytes += rows[0]?.total ?? 0
  }
  return bytes
}

type StoredFile = Pick<FileRow, 'account_id' | 'id' | 'store'>
type FileStoreContext = { services: Pick<Services, 'files'> }

export interface Measured extends Pick<FileRow, 'width' | 'height' | 'duration_ms'> {
  measured: true
}

export interface Inspected extends Contents {
  measures: Measured
}

/** Inspects the stored bytes of a file. Returns null if there are none. Throws FileTooLargeError. */
export async function inspectFile(
  { services }: FileStoreContext,
  file: StoredFile,
  options: WriteOptions,
): Promise<Inspected | null> {
  if (file.store === null) return null
  const contents = await services.files.named(file.store).inspect(fileKey(file), options)
  if (contents === null) return null
  const { size, type: detected_type } = contents
  return { ...contents, measures: await measuresOf({ services }, { ...file, size, detected_type }) }
}

/** Measures a picture or video. The duration is null for files other than videos, and 0 if a video does not state it. */
export async function measuresOf(
  { services }: FileStoreContext,
  file: StoredFile & Pick<FileRow, 'size' | 'detected_type'>,
): Promise<Measured> {
  const { store, account_id: account, size, detected_type: type } = file
  const none = { width: null, height: null, duration_ms: isVideo(type) ? 0 : null, measured: true } as const
  if (store === null || size === null || type === null) return none
  const { lengthMs, width, height } = await services.files.measure({ account, store, key: fileKey(file), size, type })
  const duration_ms = isVideo(type) ? Math.min(lengthMs ?? 0, LONGEST_MS) : null
  return { width, height, duration_ms, measured: true }
}

/** Returns whether an earlier version, which did not measure pictures and videos, stored the file. */
export function isUnmeasured({ measured, detected_type, upload_status }: FileRow): boolean {
  return !measured && upload_status === 'ready' && (isVideo(detected_type) || isPicture(detected_type))
}

function isVideo(type: string | null): boolean {
  return type?.startsWith('video/') ?? false
}

function isPicture(type: string | null): boolean {
  return type?.startsWith('image/') ?? false
}

/** The maximum of the integer column `duration_ms`: 24 days. */
const LONGEST_MS = 2_147_483_647

/** An upload may start just before its URL expires and then take this long. */
const LAST_UPLOAD_MS = 60 * 60 * 1000

export const removeBytes = job<{ store: string; key: string }>('remove_file_bytes', {
  work: ({ services }, { store, key }) => services.files.named(store).remove(key),
})

/** Removes the bytes after the commit, and again after the upload URL expires, because an external store accepts uploads until then. */
export async function discardBytes(context: Context, file: FileRow): Promise<void> {
  const { store, upload_status, upload_expires_at } = file
  if (store === null) return
  const bytes = { store, key: fileKey(file) }
  await context.enqueue(removeBytes, bytes)
  if (store === 'local' || upload_status !== 'pending' || upload_expires_at === null) return
  await context.enqueue(removeBytes, bytes, { runAt: laterBy(upload_expires_at, LAST_UPLOAD_MS) })
}
