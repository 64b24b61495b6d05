import { readFileSync } from 'node:fs'
import type { Tool } from '../src/sandbox/api.ts'
import { loadArtefact } from '../src/sandbox/artefact.ts'
import { GUEST_GLOBALS } from '../src/sandbox/guest.ts'
import { GUEST_PAGE_BYTES } from '../src/sandbox/guest-memory.ts'
import type { GuestHost } from '../src/sandbox/import-table.ts'
import { Interpreter } from '../src/sandbox/interpreter.ts'
import { limits } from '../src/sandbox/limits.ts'
import type { Artefact } from '../src/sandbox/snapshot.ts'
import { rubyModulePath } from '../src/sandbox/snapshot-builder.ts'
import { patchModule } from '../src/sandbox/wasm-bytes.ts'
import { median, type Row } from './measure.ts'

const ROUNDS = 9
const RESTORES = 3000

/** Programs that each use a different part of the interpreter. */
const PROGRAMS: Record<string, string> = {
  'a while loop': 'i = 0; s = 0; while i < 1_000_000; s += i & 7; i += 1; end; s',
  blocks: '(1..200_000).map { |x| x * 2 }.select(&:even?).sum',
  'building a string': 's = +""; 60_000.times { |i| s << "item #{i}, " }; s.size',
  hashes: 'h = {}; 40_000.times { |i| h["k#{i % 5000}"] = (h["k#{i % 5000}"] || 0) + i }; h.size',
  sorting: 'a = Array.new(40_000) { |i| (i * 7919) % 100_003 }; a.sort.first + a.sort_by { |x| -x }.first',
  JSON: 't = JSON.generate((1..1000).map { |i| { id: "p#{i}", tags: %w[a b], price: { amount: i } } }); JSON.parse(t).size',
  'regular expressions':
    't = "name: Tea no 12, price: 5.30; " * 2000; [t.scan(/(\\w+): ([^,;]+)/).size, t.gsub(/\\d+/) { 1 }.size]',
  objects: 'a = Array.new(20_000) { |i| [i, i.to_s] }; a.group_by { |p| p.first % 10 }.size',
}

/** Measures one interpreter in this thread: the time to restore it, compared with a floor, and the overhead of marking written pages. */
export async function interpreterRows(tools: Tool[], cacheDirectory: string): Promise<Row[]> {
  const input = { tools, resources: {}, maximumPages: limits.memoryPages, strip: true }
  const artefact = await loadArtefact(input, cacheDirectory)
  return [...restoring(artefact), ...(await marking(artefact))]
}

class Host implements GuestHost {
  program = ''

  receive(): void {}

  reply(): Uint8Array {
    return Buffer.from(`execute\n${this.program}`)
  }
}

function restoring(artefact: Artefact): Row[] {
  const host = new Host()
  const interpreter = new Interpreter(artefact, host)
  host.program = '1 + 1'
  const restores: number[] = []
  const floors: number[] = []
  for (let round = 0; round < RESTORES; round++) {
    interpreter.run()
    const { marks, bytes } = interpreter.guest.memory
    const pages = markedPages(marks)
    // The order alternates, so that neither benefits from data that the other has left in the processor's cache.
    if (round % 2) floors.push(timed(() => copyPages(artefact, bytes, pages)))
    const elapsed = timed(() => interpreter.restore())
    if (round % 2 === 0) restores.push(elapsed)
  }
  const [restore, floor] = [restores, floors].map((samples) => median(samples.slice(samples.length / 2)) * 1000)
  return [
    {
      name: 'restoring after a trivial program',
      value: restore!,
      unit: 'µs',
      note: `${(restore! / floor!).toFixed(1)} times the floor`,
    },
    { name: 'floor: copying its dirty pages', value: floor!, unit: 'µs' },
  ]
}

/** Measures the same programs on the same snapshot, alternating between code with and without marking. */
async function marking(artefact: Artefact): Promise<Row[]> {
  const host = new Host()
  const plain = { ...artefact, module: await unmarkedModule(artefact) }
  const rows = Object.entries(PROGRAMS).map(([name, code]) => {
    host.program = code
    const samples: [unmarked: number[], marked: number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, each] of [plain, artefact].entries()) samples[index]!.push(runOnce(each, host))
    }
    const [unmarked, marked] = samples.map((times) => Math.min(...times))
    return {
      name: `marking: ${name}`,
      value: marked! / unmarked!,
      unit: 'times',
      note: `${unmarked!.toFixed(0)} ms unmarked`,
    }
  })
  const mean = Math.exp(rows.reduce((sum, { value }) => sum + Math.log(value), 0) / rows.length)
  return [...rows, { name: 'marking: geometric mean', value: mean, unit: 'times' }]
}

/** Runs a program once, on a separate instance, because one without marks cannot be restored. Returns processor milliseconds. */
function runOnce(artefact: Artefact, host: Host): number {
  const interpreter = new Interpreter(artefact, host)
  const before = process.threadCpuUsage()
  interpreter.run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function unmarkedModule({ snapshot, maximumPages }: Artefact): Promise<WebAssembly.Module> {
  const bounds = { exportGlobals: GUEST_GLOBALS, maximumPages }
  const pages = snapshot.memory.byteLength / 65536
  return WebAssembly.compile(
    patchModule(readFileSync(rubyModulePath), { ...bounds, snapshot: { pages, marked: false } }),
  )
}

function timed(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

function markedPages(marks: Uint8Array): number[] {
  return [...marks.keys()].filter((page) => marks[page] === 1)
}

function copyPages({ snapshot }: Artefact, memory: Uint8Array, pages: number[]): void {
  const source = new Uint8Array(snapshot.memory)
  for (const page of pages) {
    const start = page * GUEST_PAGE_BYTES
    memory.set(source.subarray(start, start + GUEST_PAGE_BYTES), start)
  }
}
