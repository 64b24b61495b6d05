import { readFileSync } from 'node:fs'

/** The resident memory of a process in megabytes: the total and its parts. */
export interface Resident {
  all: number
  /** The Node.js binary and system libraries, which processes share. */
  program: number
  /** The interpreter's snapshot, and the memory of each worker's interpreter. */
  interpreters: number
  /** The heaps of the main thread and of the workers. */
  javascript: number
  /** Blocks of the C library and all the rest: the bytes of the interpreter's module, machine code, stacks. */
  other: number
}

/** The minimum size of an interpreter's mapping, although most of it is unused; nothing else is as large. */
const INTERPRETER_BYTES = 64 * 1024 * 1024
/** V8 allocates its heap in pages of this size, aligned to it. */
const PAGE_BYTES = 256 * 1024

const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)/
const RESIDENT = /^Rss: +(\d+) kB/

/** Returns the resident memory of a process on Linux; NaN elsewhere. */
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
