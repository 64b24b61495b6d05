import { measureFilm } from './film.ts'
import { isPicture, PICTURE_HEAD_BYTES, sidesOfPicture } from './picture.ts'
import { type ByteRange, type Measures, UNKNOWN } from './provider.ts'

export interface Measurable {
  /** Whose file it is: accounts take turns. */
  account: string
  /** As its bytes tell. */
  type: string
  size: number
  /** A part of its bytes, or null when they are gone. */
  read(range: ByteRange): Promise<Uint8Array | null>
}

/** What a picture or a film measures. Unknown for everything else, and never an error. */
export async function measure({ account, type, size, read }: Measurable): Promise<Measures> {
  if (type.startsWith('video/')) return measureFilm({ account, size, read })
  if (!isPicture(type) || size === 0) return UNKNOWN
  const head = await read({ start: 0, end: Math.min(size, PICTURE_HEAD_BYTES) - 1 }).catch(() => null)
  return { ...UNKNOWN, ...(head && sidesOfPicture(type, head)) }
}
