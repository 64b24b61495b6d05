import { readFileSync } from 'node:fs'

/** The resident memory of a process in megabytes, as a total and by its parts. */
export interface Resident {
  all: number
  /** The Node.js binary and the system libraries, which processes share. */
  program: number
  /** The snapshot of the interpreter, and the memory of each worker's interpreter. */
  interpreters: number
  /** The JavaScript heaps of the main thread and of the workers. */
  javascript: number
  /** The rest: blocks of the C library, the bytes of the interpreter's module, machine code and stacks. */
  other: number
}

/** The minimum size of a mapping that is an interpreter's memory. Most of that memory is unused, and no other mapping is as large. */
const INTERPRETER_BYTES = 64 * 1024 * 1024
/** V8 allocates its heap in pages of this size, aligned to the size. */
const PAGE_BYTES = 256 * 1024

const MAPPING = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ (\d+)/
const RESIDENT = /^Rss: +(\d+) kB/

/** Returns the resident memory of a process on Linux, and NaN on other systems. */
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
