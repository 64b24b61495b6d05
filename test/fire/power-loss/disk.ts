import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { Bytes } from './bytes.ts'
import type { Random } from './random.ts'
import { type Call, pathOf, quoted, type Trace } from './trace.ts'

/** A change of the bytes of a file. */
interface Change {
  at: number
  end: number
  write?: { offset: number; bytes: Buffer }
  size?: number
}

interface File {
  kind: 'file'
  first: Buffer
  changes: Change[]
  syncs: { at: number; end: number }[]
}

type Entry = { at: number; end: number; node: Node | null; movedFrom?: { directory: Directory; name: string } }

interface Directory {
  kind: 'directory'
  names: Map<string, Entry[]>
  syncs: { at: number; end: number }[]
}

type Node = File | Directory

const NEVER = { at: -1, end: -1 }

/**
 * What a disk holds over the time of a trace, below one directory: for each file and each name, what was asked for, and what was
 * synchronized. A file's bytes are safe after an fsync of the file, a name after an fsync of its directory, as POSIX has it.
 */
export class Disk {
  readonly #root: Directory
  readonly #place: string

  /** `place` is the directory as it was when the trace began, which is taken to be safe. */
  constructor(place: string, before: string, { calls }: Trace) {
    this.#place = place
    this.#root = read(before)
    for (const call of calls) if (call.result >= 0) this.#take(call)
  }

  /** Lines at which something was synchronized or begun to be written: cuts near them are the interesting ones. */
  syncLines(): number[] {
    return nodesOf(this.#root).flatMap(({ syncs }) => syncs.flatMap(({ at, end }) => [at, end]))
  }

  /** Writes what the disk may hold when the power fails after a line of the trace. */
  rebuild(line: number, random: Random, target: string): void {
    rmSync(target, { recursive: true, force: true })
    mkdirSync(target, { recursive: true })
    writeDirectory(this.#root, { line, random, mode: random.pick(['none', 'all', 'some', 'some', 'some']) }, target)
  }

  #take(call: Call): void {
    const { name, args, at, end } = call
    switch (name) {
      case 'fsync':
      case 'fdatasync': {
        const node = this.#at(pathOf(args))
        return void node?.syncs.push({ at, end })
      }
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev':
      case 'pwritev2':
        return void this.#write(call)
      case 'ftruncate':
        return void this.#resize(this.#at(pathOf(args)), call, Number(/, (\d+)$/.exec(args)?.[1]))
      case 'fallocate': {
        const [, offset, length] = /, (\d+), (\d+)$/.exec(args)!
        return void this.#grow(this.#at(pathOf(args)), call, Number(offset) + Number(length))
      }
      case 'open':
      case 'openat':
      case 'creat':
        return void this.#open(call)
      case 'mkdir':
      case 'mkdirat':
        return void this.#name(this.#given(args)[0]!, call, { kind: 'directory', names: new Map(), syncs: [] })
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
        return void this.#name(this.#given(args)[0]!, call, null)
      case 'link':
      case 'linkat': {
        const [from, to] = this.#given(args) as [string, string]
        return void this.#name(to, call, this.#at(from))
      }
      case 'rename':
      case 'renameat':
      case 'renameat2': {
        const [from, to] = this.#given(args) as [string, string]
        const node = this.#at(from)
        const parent = this.#at(dirname(from))
        this.#name(to, call, node)
        // A journal keeps the old name as long as it has not the new one.
        const moved = this.#at(dirname(to))
        if (parent?.kind === 'directory' && moved?.kind === 'directory')
          add(parent, basename(from), { at, end, node: null, movedFrom: { directory: moved, name: basename(to) } })
        return
      }
      case 'sendto':
      case 'sendmsg':
      case 'openat2':
        return
    }
    if (quoted(args).some((path) => this.#inside(path.toString()) !== null) || this.#inside(pathOf(args)) !== null)
      throw new Error(`The trace has a ${name} in the data directory, which the model does not know.`)
  }

  /** Paths that a call names, absolute; one that is relative is relative to the descriptor before it. */
  #given(args: string): string[] {
    return quoted(args).map((path) => path.toString())
  }

  #write(call: Call): void {
    const node = this.#at(pathOf(call.args))
    if (node?.kind !== 'file') return
    const bytes = Buffer.concat(quoted(call.args)).subarray(0, call.result)
    const [, place] = call.name.startsWith('p') ? (/, (\d+)$/.exec(call.args) ?? []) : []
    const offset = place === undefined ? sizeOf(node) : Number(place)
    node.changes.push({ at: call.at, end: call.end, write: { offset, bytes } })
  }

  #resize(node: Node | null, { at, end }: Call, size: number): void {
    if (node?.kind === 'file') node.changes.push({ at, end, size })
  }

  #grow(node: Node | null, call: Call, size: number): void {
    if (node?.kind === 'file' && sizeOf(node) < size) this.#resize(node, call, size)
  }

  #open(call: Call): void {
    const flags = call.args.slice(call.args.lastIndexOf('"'))
    const path = this.#given(call.args)[0] ?? ''
    const node = this.#at(path)
    if (!node && flags.includes('O_CREAT'))
      return void this.#name(path, call, { kind: 'file', first: Buffer.alloc(0), changes: [], syncs: [] })
    if (node && flags.includes('O_TRUNC')) this.#resize(node, call, 0)
  }

  #name(path: string, { at, end }: Call, node: Node | null): void {
    if (this.#inside(path) === null) return
    const parent = this.#at(dirname(path))
    if (parent?.kind !== 'directory') throw new Error(`The trace has no directory for ${path}.`)
    add(parent, basename(path), { at, end, node })
  }

  /** What is at a path by now. */
  #at(path: string | null): Node | null {
    const inside = this.#inside(path)
    if (inside === null) return null
    let node: Node | null = this.#root
    for (const name of inside.split('/').filter(Boolean)) {
      if (node?.kind !== 'directory') return null
      node = node.names.get(name)?.at(-1)?.node ?? null
    }
    return node
  }

  #inside(path: string | null): string | null {
    if (path === null || !(path === this.#place || path.startsWith(`${this.#place}/`))) return null
    return relative(this.#place, path)
  }
}

function add(directory: Directory, name: string, entry: Entry): void {
  const entries = directory.names.get(name)
  if (entries) entries.push(entry)
  else directory.names.set(name, [entry])
}

function sizeOf({ first, changes }: File): number {
  let size = first.length
  for (const { write, size: set } of changes) size = set ?? Math.max(size, write!.offset + write!.bytes.length)
  return size
}

function read(place: string): Directory {
  const directory: Directory = { kind: 'directory', names: new Map(), syncs: [] }
  if (!existsSync(place)) return directory
  for (const name of readdirSync(place)) {
    const path = join(place, name)
    const node: Node = statSync(path).isDirectory()
      ? read(path)
      : { kind: 'file', first: readFileSync(path), changes: [], syncs: [] }
    add(directory, name, { ...NEVER, node })
  }
  return directory
}

function nodesOf(directory: Directory): Node[] {
  const below = [...directory.names.values()].flat().flatMap(({ node }) => (node ? [node] : []))
  const own = [...new Set(below)]
  return [directory, ...own.flatMap((node) => (node.kind === 'directory' ? nodesOf(node) : [node]))]
}

interface Cut {
  line: number
  random: Random
  /** What is kept of what was not synchronized. */
  mode: 'none' | 'all' | 'some'
}

/** The beginning of the last synchronization that was over: what was over before it is safe. */
function safeUntil(node: Node, line: number): number {
  return node.syncs.reduce((latest, { at, end }) => (end <= line && at > latest ? at : latest), 0)
}

function writeDirectory(directory: Directory, cut: Cut, target: string): void {
  const kept = new Map([...directory.names.keys()].map((name) => [name, entryOf(directory, name, cut)]))
  for (const [name, entry] of kept) {
    const path = join(target, name)
    if (entry === null) continue
    if (entry.kind === 'directory') {
      mkdirSync(path)
      writeDirectory(entry, cut, path)
    } else writeFileSync(path, contentOf(entry, cut, name))
  }
}

function entryOf(directory: Directory, name: string, cut: Cut): Node | null {
  const safe = safeUntil(directory, cut.line)
  const begun = directory.names.get(name)!.filter(({ at }) => at <= cut.line)
  const last = begun.findLastIndex(({ end }) => end <= safe)
  const possible = begun.slice(Math.max(last, 0))
  if (last < 0) possible.unshift({ ...NEVER, node: null })
  const chosen = pick(possible, cut)
  if (chosen.movedFrom === undefined) return chosen.node
  const { directory: other, name: newName } = chosen.movedFrom
  const moved = other.names.get(newName)!.find(({ at }) => at === chosen.at)!
  // The old name may only be gone where the new one is safe, or the whole is kept.
  const isSafe = moved.end <= safeUntil(other, cut.line)
  return isSafe || cut.mode === 'all' ? null : possible.findLast(({ node }) => node !== null)!.node
}

function pick<Item>(possible: Item[], { mode, random }: Cut): Item {
  if (mode === 'none') return possible[0]!
  return mode === 'all' ? possible.at(-1)! : random.pick(possible)
}

function contentOf(file: File, cut: Cut, name: string): Buffer {
  // The index of SQLite's log is in memory that processes share; after a crash it may hold anything.
  if (name.endsWith('-shm')) return cut.random.bytes(32_768)
  const safe = safeUntil(file, cut.line)
  const bytes = new Bytes(file.first)
  for (const { at, end, write, size } of file.changes) {
    if (at > cut.line) break
    const isSafe = end <= safe
    if (write)
      bytes.write(
        write.offset,
        write.bytes,
        isSafe || cut.mode === 'all' ? null : cut.mode === 'none' ? 'nothing' : cut.random,
      )
    else if (isSafe || cut.mode === 'all' || (cut.mode === 'some' && cut.random.chance(0.5))) bytes.resize(size!)
  }
  return bytes.all()
}
