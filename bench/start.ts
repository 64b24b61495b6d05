import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { stage } from '../release/stage.ts'
import { median, printTable } from './measure.ts'
import { dataDirectory, ROOT, startShopwright, TOKEN } from './servers.ts'

/** The time from the start of a server to the response to its first program, and the memory of the idle process. */
interface Start {
  answerMs: number
  resident: Resident
}

/** The resident memory of a process in megabytes, as a total and by its parts. */
interface Resident {
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

/** After this time, the garbage of the start is collected and background threads have ended. */
const IDLE_MS = 5_000

const release = await mkdtemp(join(tmpdir(), 'shopwright-release-'))
await stage(release)
await symlink(join(ROOT, 'node_modules'), join(release, 'node_modules'))
await measure('of a release', release)
await measure('of the source', ROOT)
await rm(release, { recursive: true })

async function measure(whose: string, root: string): Promise<void> {
  const first: Start[] = []
  const later: Start[] = []
  for (let round = 0; round < 3; round++) {
    const { directory, remove } = await dataDirectory()
    first.push(await measuredStart(directory, root))
    for (let start = 0; start < 3; start++) later.push(await measuredStart(directory, root))
    await remove()
  }
  printStarts(`First start ${whose}`, first, { answerMs: 4000 })
  printStarts(`Later starts ${whose}`, later, { answerMs: 700, megabytes: 150 })
}

function printStarts(title: string, starts: Start[], aims: { answerMs: number; megabytes?: number }): void {
  const held = (part: keyof Resident) => median(starts.map(({ resident }) => resident[part]))
  const row = (name: string, part: keyof Resident, note = '') => ({ name, value: held(part), unit: 'MB', note })
  printTable(title, [
    {
      name: 'first answer',
      value: median(starts.map((one) => one.answerMs)),
      unit: 'ms',
      note: `aim ${aims.answerMs}`,
    },
    row('resident memory idle, two workers', 'all', aims.megabytes ? `aim ${aims.megabytes}` : ''),
    row('  program and libraries', 'program', 'shared with other processes of Node.js'),
    row('  interpreters', 'interpreters', 'the snapshot, and a memory for each worker'),
    row('  objects and code of JavaScript', 'javascript'),
    row('  all the rest', 'other', 'blocks of the C library, the bytes and the machine code of the interpreter'),
  ])
}

async function measuredStart(directory: string, root: string): Promise<Start> {
  const began = performance.now()
  const server = await startShopwright(directory, { SANDBOX_WORKERS: '2' }, root)
  const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'code_execute', arguments: { code: 'get("/account")["name"]' } },
    }),
  })
  if (!(await response.text()).includes('result')) throw new Error('The first program was not answered')
  const answerMs = performance.now() - began
  await delay(IDLE_MS)
  const resident = residentOf(server.pid)
  await server.stop()
  return { answerMs, resident }
}

/** Returns the resident memory of a process on Linux, and NaN on other systems. */
function residentOf(pid: number): Resident {
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
