import { setTimeout as delay } from 'node:timers/promises'
import type { WebClient } from '../../web/client.ts'
import { inParts } from '../parts.ts'
import { PlatformRefusedError, type PostedFile } from '../provider.ts'
import type { Api } from './api.ts'
import { Anything, Upload } from './shapes.ts'

/** X takes at most 5 MB in one part. */
const PART_BYTES = 4_000_000
const LONGEST_LOOK_S = 10
const MOST_LOOKS = 40

interface Options {
  web: WebClient
  signal: AbortSignal
}

/** Uploads the files of a post in parts, waits until X has looked at them, and describes them; gives their ids. */
export async function uploaded(api: Api, files: readonly PostedFile[], options: Options): Promise<string[]> {
  const ids: string[] = []
  for (const file of files) {
    const id = await upload(api, file, options)
    if (file.alternativeText !== null && !file.contentType.startsWith('video/'))
      await describe(api, id, file.alternativeText)
    ids.push(id)
  }
  return ids
}

async function upload(api: Api, file: PostedFile, { web, signal }: Options): Promise<string> {
  const { contentType: media_type, size: total_bytes } = file
  const begun = { media_type, total_bytes, media_category: categoryOf(media_type) }
  const { data } = await api.call('/media/upload/initialize', Upload, { method: 'POST', body: begun })
  const path = `/media/upload/${data.id}`
  await inParts(file, { web, signal, partBytes: PART_BYTES }, async (part, index) => {
    const form = new FormData()
    form.set('segment_index', String(index))
    form.set('media', new Blob([new Uint8Array(part)]), 'part')
    await api.call(`${path}/append`, Anything, { method: 'POST', body: form })
  })
  await processed(api, await api.call(`${path}/finalize`, Upload, { method: 'POST' }), signal)
  return data.id
}

function categoryOf(type: string): string {
  if (type.startsWith('video/')) return 'tweet_video'
  return type === 'image/gif' ? 'tweet_gif' : 'tweet_image'
}

async function processed(api: Api, first: Upload, signal: AbortSignal): Promise<void> {
  let { id, processing_info: info } = first.data
  for (let looks = 0; info && info.state !== 'succeeded'; looks++) {
    if (info.state === 'failed')
      throw new PlatformRefusedError(info.error?.message ?? 'X cannot use a file of the post')
    if (looks === MOST_LOOKS) throw new Error('X was not done with a file of the post')
    await delay(Math.min(info.check_after_secs ?? 1, LONGEST_LOOK_S) * 1000, undefined, { signal })
    const { data } = await api.call(`/media/upload?command=STATUS&media_id=${id}`, Upload)
    info = data.processing_info
  }
}

async function describe(api: Api, id: string, text: string): Promise<void> {
  const body = { id, metadata: { alt_text: { text } } }
  await api.call('/media/metadata', Anything, { method: 'POST', body })
}
