import type { Contents, WriteOptions } from '../../../providers/files/provider.ts'
import type { Services } from '../../../records/services.ts'
import { keyOf } from './addresses.ts'
import type { FileRow } from './file.ts'

type StoredFile = Pick<FileRow, 'account_id' | 'id' | 'store'>
type FileStoreContext = { services: Pick<Services, 'files'> }

export interface Measured extends Pick<FileRow, 'width' | 'height' | 'duration_ms'> {
  measured: true
}

export interface Inspected extends Contents {
  measures: Measured
}

/** Returns null if no bytes are stored. Throws FileTooLargeError. */
export async function inspectFile(
  { services }: FileStoreContext,
  file: StoredFile,
  options: WriteOptions,
): Promise<Inspected | null> {
  if (file.store === null) return null
  const contents = await services.files.named(file.store).inspect(keyOf(file), options)
  if (contents === null) return null
  const { size, type: detected_type } = contents
  return { ...contents, measures: await measuresOf({ services }, { ...file, size, detected_type }) }
}

/** The duration is null for files other than videos, and 0 if a video does not state it. */
export async function measuresOf(
  { services }: FileStoreContext,
  file: StoredFile & Pick<FileRow, 'size' | 'detected_type'>,
): Promise<Measured> {
  const { store, account_id: account, size, detected_type: type } = file
  const none = { width: null, height: null, duration_ms: isVideo(type) ? 0 : null, measured: true } as const
  if (store === null || size === null || type === null) return none
  const { lengthMs, width, height } = await services.files.measure({ account, store, key: keyOf(file), size, type })
  const duration_ms = isVideo(type) ? Math.min(lengthMs ?? 0, LONGEST_MS) : null
  return { width, height, duration_ms, measured: true }
}

/** Whether an earlier version, which did not measure pictures and videos, stored the file. */
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
