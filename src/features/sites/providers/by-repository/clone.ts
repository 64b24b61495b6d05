import type { Errors as GitErrors, GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { bytesInWords } from '../../../../format/sizes.ts'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../../../../providers/web/client.ts'
import { BuildFailedError } from '../provider.ts'
import {
  ANSWER_MS,
  CLONE_MS,
  DEEPEST,
  MOST_ENTRIES,
  MOST_PACK_BYTES,
  MOST_REDIRECTS,
  requireModestPack,
} from './pack.ts'

type ReadOptions = { encoding?: string } | string | undefined

const REDIRECTS = [301, 302, 303, 307, 308]
/** The maximum size of a request to a git host; usual requests have a few kilobytes. */
const MOST_ASKED_BYTES = 1_000_000

const REFS = '/info/refs'

export interface Entry {
  path: string
  kind: 'file' | 'link' | 'submodule'
  oid: string
}

export interface Clone {
  entries: Entry[]
  read(entry: Entry): Promise<Uint8Array>
}

const LINK_MODE = '120000'
const DIRECTORY = '/repository'

/** Fetches the newest commit of a repository's default branch. Throws BuildFailedError. */
export async function clone(url: string, name: string, web: WebClient, signal: AbortSignal): Promise<Clone> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(CLONE_MS)])
  const git = await import('isomorphic-git')
  try {
    const place = { fs: memoryFiles(), dir: DIRECTORY, cache: {} }
    const shallow = { depth: 1, singleBranch: true, noTags: true, noCheckout: true }
    await git.clone({ ...place, http: gitHttp(web, until), url, ...shallow })
    const commit = await git.resolveRef({ ...place, ref: 'HEAD' })
    const { tree } = (await git.readCommit({ ...place, oid: commit })).commit
    const entries: Entry[] = []
    await list((oid) => git.readTree({ ...place, oid }), { oid: tree, below: '', depth: 0 }, entries)
    return { entries, read: async ({ oid }) => (await git.readBlob({ ...place, oid })).blob }
  } catch (error) {
    signal.throwIfAborted()
    throw explained(error, name, until, git.Errors)
  }
}

type ReadTree = (oid: string) => Promise<{ tree: { path: string; type: string; mode: string; oid: string }[] }>

async function list(
  readTree: ReadTree,
  { oid, below, depth }: { oid: string; below: string; depth: number },
  entries: Entry[],
): Promise<void> {
  if (depth > DEEPEST) throw new BuildFailedError([`The repository has folders that are more than ${DEEPEST} deep.`])
  for (const one of (await readTree(oid)).tree) {
    if (entries.length >= MOST_ENTRIES)
      throw new BuildFailedError([`The repository has more than ${MOST_ENTRIES} files.`])
    const path = below + one.path
    if (one.type === 'tree') await list(readTree, { oid: one.oid, below: `${path}/`, depth: depth + 1 }, entries)
    else entries.push({ path, oid: one.oid, kind: kindOf(one) })
  }
}

function kindOf({ type, mode }: { type: string; mode: string }): Entry['kind'] {
  if (type === 'commit') return 'submodule'
  return mode === LINK_MODE ? 'link' : 'file'
}

function explained(error: unknown, name: string, until: AbortSignal, Errors: typeof GitErrors): Error {
  if (error instanceof BuildFailedError) return error
  if (until.aborted) return failed(`Cloning ${name} took longer than ${CLONE_MS / 1000} seconds.`)
  if (error instanceof AddressRefusedError) return failed(`The address of the git host ${error.message}.`)
  if (error instanceof NoAnswerError) return failed(`The git host did not answer: ${error.message}`)
  const status = error instanceof Errors.HttpError ? error.data.statusCode : undefined
  if (status === 401 || status === 403 || status === 404)
    return failed(`There is no repository ${name}, or it is not public.`)
  if (status !== undefined) return failed(`The git host answered with status ${status}.`)
  const words = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 200) : String(error)
  return failed(`The repository ${name} could not be cloned: ${words}`)
}

function failed(problem: string): BuildFailedError {
  return new BuildFailedError([problem])
}

/** The git library's HTTP client, which connects only to public addresses. After a redirect, later requests go to the new address. */
function gitHttp(web: WebClient, signal: AbortSignal): HttpClient {
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

/** An in-memory file system for one clone, with only the operations that the git library needs. */
function memoryFiles() {
  const files = new Map<string, Uint8Array>()
  const folders = new Set(['/'])
  const promises = {
    async readFile(path: string, options?: ReadOptions): Promise<Uint8Array | string> {
      const bytes = files.get(normal(path))
      if (!bytes) throw missing(path)
      const encoding = typeof options === 'string' ? options : options?.encoding
      return encoding ? Buffer.from(bytes).toString('utf8') : bytes
    },
    async writeFile(path: string, data: Uint8Array | string): Promise<void> {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      if (path.endsWith('.pack')) requireModestPack(bytes)
      files.set(normal(path), bytes)
    },
    async unlink(path: string): Promise<void> {
      if (!files.delete(normal(path))) throw missing(path)
    },
    async mkdir(path: string): Promise<void> {
      folders.add(normal(path))
    },
    async rmdir(path: string): Promise<void> {
      folders.delete(normal(path))
    },
    async readdir(path: string): Promise<string[]> {
      const start = `${normal(path)}/`.replace('//', '/')
      const below = [...files.keys(), ...folders].filter((one) => one.startsWith(start) && one !== start)
      return [...new Set(below.map((one) => one.slice(start.length).replace(/\/.*$/s, '')))]
    },
    stat: async (path: string) => statOf(path),
    lstat: async (path: string) => statOf(path),
    async readlink(path: string): Promise<string> {
      throw missing(path)
    },
    async symlink(_target: string, path: string): Promise<void> {
      throw missing(path)
    },
  }

  function statOf(path: string) {
    const name = normal(path)
    const bytes = files.get(name)
    if (!bytes && !folders.has(name)) throw missing(path)
    const kind = {
      isFile: () => bytes !== undefined,
      isDirectory: () => bytes === undefined,
      isSymbolicLink: () => false,
    }
    return {
      ...kind,
      size: bytes?.length ?? 0,
      mode: bytes ? 0o100644 : 0o40000,
      mtimeMs: 0,
      ctimeMs: 0,
      ino: 0,
      uid: 0,
      gid: 0,
    }
  }
  return { promises }
}

function normal(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`
}

function missing(path: string): Error {
  return Object.assign(new Error(`There is no ${path}.`), { code: 'ENOENT' })
}
