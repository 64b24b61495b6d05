import type { Contents, WriteOptions } from '../../../outside/files/provider.ts'
import type { Services } from '../../../records/services.ts'
import { keyOf } from './addresses.ts'
import type { FileRow } from './file.ts'

type Stored = Pick<FileRow, 'account_id' | 'id' | 'store'>
type Place = { services: Pick<Services, 'files'> }

/** What a picture or a video measures, as its row has it. */
export interface Measured extends Pick<FileRow, 'width' | 'height' | 'duration_ms'> {
  measured: true
}

export interface Inspected extends Contents {
  measures: Measured
}

/** Reads the bytes of a file to find out what they are; null when there are none. Throws FileTooLargeError. */
export async function inspectFile({ services }: Place, file: Stored, options: WriteOptions): Promise<Inspected | null> {
  if (file.store === null) return null
  const contents = await services.files.named(file.store).inspect(keyOf(file), options)
  if (contents === null) return null
  const { size, type: detected_type } = contents
  return { ...contents, measures: await measuresOf({ services }, { ...file, size, detected_type }) }
}

/** What a file measures. The length of a video is 0 where its bytes do not tell, and null for everything else. */
export async function measuresOf(
  { services }: Place,
  file: Stored & Pick<FileRow, 'size' | 'detected_type'>,
): Promise<Measured> {
  const { store, account_id: account, size, detected_type: type } = file
  const none = { width: null, height: null, duration_ms: isVideo(type) ? 0 : null, measured: true } as const
  if (store === null || size === null || type === null) return none
  const { lengthMs, width, height } = await services.files.measure({ account, store, key: keyOf(file), size, type })
  const duration_ms = isVideo(type) ? Math.min(lengthMs ?? 0, LONGEST_MS) : null
  return { width, height, duration_ms, measured: true }
}

/** Pictures and videos of earlier versions were not measured when they became ready. */
export function isUnmeasured({ measured, detected_type, upload_status }: FileRow): boolean {
  return !measured && upload_status === 'ready' && (isVideo(detected_type) || isPicture(detected_type))
}

function isVideo(type: string | null): boolean {
  return type?.startsWith('video/') ?? false
}

function isPicture(type: string | null): boolean {
  return type?.startsWith('image/') ?? false
}

/** As much as its column holds: 24 days. */
const LONGEST_MS = 2_147_483_647
