import { bytesInWords } from '../../../../words/sizes.ts'
import type { WebClient } from '../../../web/client.ts'
import { PlatformRefusedError, type PostedFile, type PublishRequest } from '../../provider.ts'
import { type Graph, part } from '../api.ts'
import type { Memory } from '../earlier.ts'
import { Id } from '../shapes.ts'
import { pageIdOf } from './page-id.ts'

const TIMEOUT_MS = 60_000
/** Photos are held in memory on their way. What Facebook takes is checked before. */
const MOST_BYTES = 20_000_000
const PHOTOS = 'photos'

interface Sending {
  request: PublishRequest
  web: WebClient
  memory: Memory
}

/** Sends the photos of a post without publishing them (Page Photos). Those of an earlier try are used again. */
export async function photosOf(graph: Graph, { request, web, memory }: Sending): Promise<string[]> {
  const known = memory.get(PHOTOS)?.split(',')
  if (known?.length === request.media.length) return known
  const ids: string[] = []
  for (const file of request.media) {
    const form = new FormData()
    form.set('source', new Blob([await bytesOf(file, web, request.signal)], { type: file.contentType }), 'photo')
    form.set('published', 'false')
    if (file.alternativeText !== null) form.set('alt_text_custom', file.alternativeText)
    ids.push((await graph.post(`/${part(pageIdOf(request))}/photos`, Id, form)).id)
  }
  if (ids.length > 0) await memory.note({ [PHOTOS]: ids.join(',') })
  return ids
}

async function bytesOf({ url }: PostedFile, web: WebClient, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const file = await web.fetch(url, { method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES + 1, signal })
  if (file.status !== 200) throw new Error(`A file of the post was answered with ${file.status}`)
  if (file.body.byteLength > MOST_BYTES)
    throw new PlatformRefusedError(`a photo of the post is larger than ${bytesInWords(MOST_BYTES)}`)
  return new Uint8Array(file.body)
}
