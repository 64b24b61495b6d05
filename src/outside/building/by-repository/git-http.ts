import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { bytesInWords } from '../../../words/sizes.ts'
import type { WebAnswer, WebClient } from '../../web/client.ts'
import { BuildFailedError } from '../provider.ts'
import { ANSWER_MS, MOST_PACK_BYTES, MOST_REDIRECTS } from './limits.ts'

const REDIRECTS = [301, 302, 303, 307, 308]
/** What we ask of a git host is a few kilobytes. */
const MOST_ASKED_BYTES = 1_000_000

/**
 * How the git library reaches a git host: through the client that goes to public addresses alone, whatever the host answers. A
 * host that has moved a repository says so to the first request, and the others follow it.
 */
export function gitHttp(web: WebClient, signal: AbortSignal): HttpClient {
  let moved: { from: string; to: string } | null = null
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const sent = body === undefined ? undefined : await collected(body)
      const asked = { method, headers: { ...headers, 'user-agent': 'git/shopwright' }, ...(sent && { body: sent }) }
      const limits = { timeoutMs: ANSWER_MS, maxBytes: MOST_PACK_BYTES + 1, signal }
      let address = moved && url.startsWith(moved.from) ? moved.to + url.slice(moved.from.length) : url
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
        const answer = await web.fetch(address, { ...asked, ...limits })
        const next = method === 'GET' ? nextOf(answer, address) : null
        if (next === null) return responseOf(answer, url, method)
        moved = movedBy(url, next) ?? moved
        address = next
      }
      throw new BuildFailedError([`The git host redirects more than ${MOST_REDIRECTS} times.`])
    },
  }
}

function nextOf({ status, headers }: WebAnswer, from: string): string | null {
  return REDIRECTS.includes(status) ? (URL.parse(headers.location ?? '', from)?.href ?? null) : null
}

const REFS = '/info/refs'

function movedBy(first: string, next: string): { from: string; to: string } | null {
  const [from, to] = [first, next].map((url) => url.slice(0, Math.max(0, url.indexOf(REFS))))
  return from && to ? { from, to } : null
}

function responseOf({ status, headers, body }: WebAnswer, url: string, method: string): GitHttpResponse {
  if (body.length > MOST_PACK_BYTES)
    throw new BuildFailedError([`The newest commit of the repository has more than ${bytesInWords(MOST_PACK_BYTES)}.`])
  return { url, method, headers, statusCode: status, statusMessage: String(status), body: chunksOf(body) }
}

async function collected(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > MOST_ASKED_BYTES) throw new BuildFailedError(['The repository has too many branches to ask for one.'])
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* chunksOf(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes
}
