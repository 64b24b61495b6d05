import { join } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { filmLengthMs } from './film-length.ts'
import { LocalFiles } from './local/local.ts'
import type { FileStore, Files, StoreName } from './provider.ts'
import { S3Files } from './s3/s3.ts'

interface FileSettings {
  DATA_DIR: string
  S3_ENDPOINT?: string | undefined
  S3_BUCKET?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** Files go to the bucket where the settings name one, otherwise into the data directory. */
export function createFiles(settings: FileSettings): Files {
  const directory = join(settings.DATA_DIR, 'files')
  const local = new LocalFiles(directory)
  const s3 = s3Of(settings, join(directory, 'incoming'))
  const all: FileStore[] = s3 ? [s3, local] : [local]
  const named = (name: StoreName) => {
    const store = all.find((one) => one.name === name)
    if (!store) throw new Error(`A file is in the store ${name}, which is not set up: its S3_ settings are missing.`)
    return store
  }
  return {
    current: s3 ?? local,
    all,
    named,
    filmLengthMs: ({ account, store, key, size }) =>
      filmLengthMs({ account, size, read: async (range) => bytesOf(await named(store).read(key, range)) }),
    sweep: () => local.sweep(),
    close: async () => s3?.close(),
  }
}

function s3Of(settings: FileSettings, spool: string): S3Files | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return null
  return new S3Files({ endpoint, bucket, region, accessKeyId, secretAccessKey, spool })
}

async function bytesOf(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  return stream && new Uint8Array(await arrayBuffer(stream))
}
