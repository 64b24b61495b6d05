import type { Row } from '../../../contract/declarations/noun.ts'
import type { Contents, WriteOptions } from '../../../outside/files/provider.ts'
import type { Services } from '../../../records/services.ts'
import { keyOf } from './addresses.ts'
import type { File } from './file.ts'

type FileRow = Row<typeof File>
type Stored = Pick<FileRow, 'account_id' | 'id' | 'store'>
type Place = { services: Pick<Services, 'files'> }

/** What the bytes of a file are. */
export interface Inspected extends Contents {
  /** Length of a video, 0 where its bytes do not tell; null for everything else. */
  durationMs: number | null
}

/** Reads the bytes of a file to find out what they are; null when there are none. Throws FileTooLargeError. */
export async function inspectFile({ services }: Place, file: Stored, options: WriteOptions): Promise<Inspected | null> {
  if (file.store === null) return null
  const contents = await services.files.named(file.store).inspect(keyOf(file), options)
  if (contents === null) return null
  const durationMs = isVideo(contents.type) ? await durationOf({ services }, { ...file, size: contents.size }) : null
  return { ...contents, durationMs }
}

/** The length of a video in milliseconds, 0 where its bytes do not tell. */
export async function durationOf({ services }: Place, file: Stored & Pick<FileRow, 'size'>): Promise<number> {
  const { store, account_id: account, size } = file
  if (store === null || size === null) return 0
  return Math.min((await services.files.filmLengthMs({ account, store, key: keyOf(file), size })) ?? 0, LONGEST_MS)
}

/** Videos of earlier versions were not measured when they became ready. */
export function isUnmeasured({ duration_ms, detected_type, upload_status }: FileRow): boolean {
  return duration_ms === null && upload_status === 'ready' && isVideo(detected_type)
}

function isVideo(type: string | null): boolean {
  return type?.startsWith('video/') ?? false
}

/** As much as its column holds: 24 days. */
const LONGEST_MS = 2_147_483_647
