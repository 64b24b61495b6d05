import { join } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { measureFilm } from './film.ts'
import { LocalFiles } from './local/local.ts'
import { isPicture, PICTURE_HEAD_BYTES, sidesOfPicture } from './picture.ts'
import { type ByteRange, type Files, type Measures, UNKNOWN } from './provider.ts'
import { openS3, type S3Settings } from './s3/s3.ts'

interface MeasureRequest {
  account: string
  type: string
  size: number
  read(range: ByteRange): Promise<Uint8Array | null>
}

interface FileSettings extends S3Settings {
  DATA_DIR: string
}

const OUTSIDE_STORES = [openS3]

/** Opens the stores. New files go to the configured external store, or to the data directory if there is none. */
export function createFiles(settings: FileSettings): Files {
  const directory = join(settings.DATA_DIR, 'files')
  const local = new LocalFiles(directory)
  const outside = OUTSIDE_STORES.flatMap((open) => open(settings, join(directory, 'incoming')) ?? [])
  const all = [...outside, local]
  const named = (name: string) => {
    const store = all.find((one) => one.name === name)
    if (!store) throw new Error(`A file is in the store ${name}, which is not set up: its settings are missing.`)
    return store
  }
  return {
    current: all[0]!,
    all,
    named,
    measure: ({ store, key, ...file }) =>
      measure({ ...file, read: async (range) => bytesOf(await named(store).read(key, range)) }),
    sweep: async () => void (await Promise.all(all.map((store) => store.sweep()))),
    close: async () => void (await Promise.all(all.map((store) => store.close()))),
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  return stream && new Uint8Array(await arrayBuffer(stream))
}

/** Measures a picture or film. Returns UNKNOWN for other files and for files that cannot be read. */
export async function measure({ account, type, size, read }: MeasureRequest): Promise<Measures> {
  if (type.startsWith('video/')) return measureFilm({ account, size, read })
  if (!isPicture(type) || size === 0) return UNKNOWN
  const head = await read({ start: 0, end: Math.min(size, PICTURE_HEAD_BYTES) - 1 }).catch(() => null)
  return { ...UNKNOWN, ...(head && sidesOfPicture(type, head)) }
}
