import { join } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { LocalFiles } from './local/local.ts'
import { measure } from './measure.ts'
import type { Files } from './provider.ts'
import { openS3, type S3Settings } from './s3/s3.ts'

interface FileSettings extends S3Settings {
  DATA_DIR: string
}

/** The first one that the settings set up takes new files. */
const OUTSIDE_STORES = [openS3]

/** New files go to the store that the settings set up, otherwise into the data directory. */
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
