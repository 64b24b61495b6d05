import { readFileSync } from 'node:fs'

/** What a process holds in memory, in megabytes: in all, and by what holds it. */
export interface Resident {
  all: number
  /** The program of Node.js and the libraries of the system, which processes share. */
  program: number
  /** The snapshot of the interpreter, and the memory of each worker's. */
  interpreters: number
  /** The heaps of the main thread and of the workers. */
  javascript: number
  /** Blocks of the C library, and all the rest: the bytes of the interpreter's module, machine code, stacks. */
  other: number
}

/** An interpreter's memory is this large at least, though most of it is unused; nothing else is. */
const INTERPRETER_BYTES = 64 * 1024 * 1024
/** The engine takes memory for objects in pages of this size, at multiples of it. */
const PAGE_BYTES = 256 * 1024

const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)/
const RESIDENT = /^Rss: +(\d+) kB/

/** Reads it of a process on Linux; NaN elsewhere. */
export function residentOf(pid: number): Resident {
  const parts: Resident = { all: 0, program: 0, interpreters: 0, javascript: 0, other: 0 }
  let part: keyof Resident = 'other'
  for (const line of mappingsOf(pid)) {
    const [, start, end, rights, file] = MAPPING.exec(line) ?? []
    if (start) part = partOf(Number.parseInt(start, 16), Number.parseInt(end!, 16), rights!, file !== '0')
    const megabytes = Number(RESIDENT.exec(line)?.[1] ?? 0) / 1024
    parts[part] += megabytes
    parts.all += megabytes
  }
  return parts.all > 0 ? parts : { all: NaN, program: NaN, interpreters: NaN, javascript: NaN, other: NaN }
}

function mappingsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')
  } catch {
    return []
  }
}

function partOf(start: number, end: number, rights: string, ofFile: boolean): keyof Resident {
  if (ofFile) return 'program'
  if (!rights.startsWith('rw-')) return 'other'
  if (end - start >= INTERPRETER_BYTES) return 'interpreters'
  return start % PAGE_BYTES === 0 && end % PAGE_BYTES === 0 ? 'javascript' : 'other'
}
