import { inflateSync, type ZlibOptions } from 'node:zlib'
import type { Errors as GitErrors, GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { bytesInWords } from '../../../../format/sizes.ts'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../../../../providers/web/client.ts'
import { BuildFailedError } from '../provider.ts'

type ReadOptions = { encoding?: string } | string | undefined

const REDIRECTS = [301, 302, 303, 307, 308]
/** The maximum size of a request to a git host in bytes. Most requests have a few kilobytes. */
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

const MOST_PACK_BYTES = 30_000_000
/** The maximum unpacked size of a clone's objects in bytes, which also limits the work of unpacking. */
const MOST_UNPACKED_BYTES = 150_000_000
const MOST_OBJECTS = 10_000
const MOST_ENTRIES = 10_000
const DEEPEST = 20
/** The time limits of the whole clone and of one response from the git host. */
const CLONE_MS = 120_000
const ANSWER_MS = 60_000
const MOST_REDIRECTS = 3

const HEADER_BYTES = 12
const OFFSET_DELTA = 6
const REFERENCE_DELTA = 7

/**
 * Checks a pack (gitformat-pack) before the git library unpacks it in memory. Throws BuildFailedError if that would take too much
 * memory or work.
 */
export function requireModestPack(pack: Uint8Array): void {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'PACK') throw unreadable()
  const count = bytes.readUInt32BE(8)
  if (count > MOST_OBJECTS)
    throw new BuildFailedError([
      `The newest commit of the repository has ${count} objects; at most ${MOST_OBJECTS} are read.`,
    ])
  /** Maps the offset of an object to the bytes to process for it: its own and those of all its delta bases. */
  const work = new Map<number, number>()
  let [at, total] = [HEADER_BYTES, 0]
  for (let read = 0; read < count; read++) {
    const object = objectAt(bytes, at, MOST_UNPACKED_BYTES - total)
    const ofBase = object.base === null ? 0 : work.get(object.base)
    if (ofBase === undefined) throw unreadable()
    work.set(at, ofBase + object.size)
    total += ofBase + object.size
    if (total > MOST_UNPACKED_BYTES) throw tooLarge()
    at = object.end
  }
}

interface PackedObject {
  /** The unpacked size in bytes; `end` is the offset of the next object. */
  size: number
  end: number
  /** The offset of the object to which the delta applies; null for an object without a delta. */
  base: number | null
}

function objectAt(bytes: Buffer, start: number, room: number): PackedObject {
  const header = numberAt(bytes, start, 4)
  const type = (header.first >> 4) & 7
  if (type === REFERENCE_DELTA) throw unreadable()
  const offset = type === OFFSET_DELTA ? offsetAt(bytes, header.end) : null
  const { buffer, end } = inflatedAt(bytes, offset?.end ?? header.end, room)
  if (buffer.length !== header.value) throw unreadable()
  if (offset === null) return { size: buffer.length, end, base: null }
  const target = numberAt(buffer, numberAt(buffer, 0, 7).end, 7).value
  return { size: buffer.length + target, end, base: start - offset.value }
}

interface InflateResult {
  buffer: Buffer
  engine: { bytesWritten: number }
}

function isInflateResult(given: unknown): given is InflateResult {
  return typeof given === 'object' && given !== null && 'buffer' in given && 'engine' in given
}

/** Inflates the data at the offset `at`. `room` is how many bytes are left of the limit for all objects. */
function inflatedAt(bytes: Buffer, at: number, room: number): { buffer: Buffer; end: number } {
  const options: ZlibOptions = { info: true, maxOutputLength: Math.max(1, room) }
  try {
    // With `info`, the result includes the engine, which is missing from the types of Node.js.
    const informed: unknown = inflateSync(bytes.subarray(at), options)
    if (!isInflateResult(informed)) throw unreadable()
    return { buffer: informed.buffer, end: at + informed.engine.bytesWritten }
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : unreadable()
  }
}

/** Reads a little-endian variable-length number whose first byte contains `firstBits` of it. */
function numberAt(bytes: Buffer, start: number, firstBits: number): { value: number; first: number; end: number } {
  const first = bytes[start] ?? 0
  let [value, factor, at] = [first & (2 ** firstBits - 1), 2 ** firstBits, start]
  while ((bytes[at] ?? 0) & 0x80 && at - start < 8) {
    at += 1
    value += ((bytes[at] ?? 0) & 0x7f) * factor
    factor *= 128
  }
  return { value, first, end: at + 1 }
}

/** Reads the distance to a delta's base: groups of seven bits, big-endian. */
function offsetAt(bytes: Buffer, start: number): { value: number; end: number } {
  let [value, at] = [(bytes[start] ?? 0) & 0x7f, start]
  while ((bytes[at] ?? 0) & 0x80 && at - start < 8) {
    at += 1
    value = (value + 1) * 128 + ((bytes[at] ?? 0) & 0x7f)
  }
  return { value, end: at + 1 }
}

function tooLarge(): BuildFailedError {
  return new BuildFailedError([
    `The newest commit of the repository is too large: its files may have ${bytesInWords(MOST_UNPACKED_BYTES)} when they are unpacked.`,
  ])
}

function unreadable(): BuildFailedError {
  return new BuildFailedError(['The git host has sent a repository that cannot be read.'])
}
