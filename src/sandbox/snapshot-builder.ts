import { readFileSync } from 'node:fs'
import { packageFile } from '../runtime/package-file.ts'
import type { Json, Tool } from './api.ts'
import { GUEST_GLOBALS, Guest } from './guest.ts'
import type { GuestHost } from './import-table.ts'
import { preludeFiles, stripFile, warmUpPrograms } from './prelude.ts'
import type { Snapshot } from './snapshot.ts'
import { copyRuns, usedRuns } from './sparse-copy.ts'
import { patchModule } from './wasm-bytes.ts'

/** The result of a build, which is stored on disk: the patched module and the state of an interpreter that can run a program at once. */
export interface Build {
  module: Uint8Array<ArrayBuffer>
  snapshot: Snapshot
}

export interface BuildInput {
  tools: Tool[]
  resources: { [name: string]: Json }
  maximumPages: number
  /** Whether strip.rb removes Ruby's classes for files, processes and JavaScript. False lets tests check the import table alone. */
  strip: boolean
  /** The file of another Ruby module, in tests of a newer version. */
  ruby?: string | undefined
}

const COMMAND_LINE = ['ruby.wasm', '-EUTF-8', '--disable-all', '-e_=0']

/** Settings of Ruby's heap, large enough that an ordinary program neither collects garbage nor grows the memory. */
const ENVIRONMENT = [
  'RUBY_GC_HEAP_0_INIT_SLOTS=800000',
  'RUBY_GC_HEAP_1_INIT_SLOTS=400000',
  'RUBY_GC_HEAP_2_INIT_SLOTS=150000',
  'RUBY_GC_HEAP_3_INIT_SLOTS=60000',
  'RUBY_GC_HEAP_4_INIT_SLOTS=20000',
  'RUBY_GC_MALLOC_LIMIT=50000000',
  'RUBY_GC_MALLOC_LIMIT_MAX=100000000',
  'RUBY_GC_OLDMALLOC_LIMIT=50000000',
  'RUBY_GC_OLDMALLOC_LIMIT_MAX=100000000',
  'RUBY_FIBER_VM_STACK_SIZE=65536',
  'RUBY_FIBER_MACHINE_STACK_SIZE=65536',
]

/** Adds spare memory. A program that fits into it does not grow the memory, so its interpreter can be restored. */
const GROW = 'String.new(capacity: 32 * 1024 * 1024).clear; GC.start'

export const RUBY_FILE = '@ruby/3.3-wasm-wasi/dist/ruby.wasm'
export const rubyModulePath = packageFile(RUBY_FILE)

/** Boots an interpreter, loads the prelude with `tools` and `resources`, and copies the interpreter's state. Takes about a second. */
export async function buildSnapshot(input: BuildInput): Promise<Build> {
  const original = readFileSync(input.ruby ?? rubyModulePath)
  const bounds = { exportGlobals: GUEST_GLOBALS, maximumPages: input.maximumPages }
  const bootModule = await WebAssembly.compile(patchModule(original, bounds))
  const host = new BootHost(input)
  const guest = new Guest(bootModule, host, ENVIRONMENT)
  guest.boot(COMMAND_LINE)
  for (const { name, code } of preludeFiles()) evaluate(guest, name, code)
  const runner = evaluate(guest, 'the runner', 'Sandbox::Runner.new')
  const method = guest.intern('run')
  evaluate(guest, 'growing', GROW)
  if (input.strip) evaluate(guest, stripFile().name, stripFile().code)
  // The warm-up programs run last, because the removal of names empties the method caches that they fill.
  for (const program of warmUpPrograms()) host.run(program, () => guest.send(runner, method))
  guest.send(runner, guest.intern('forget'))
  const snapshot = { ...copyOf(guest.memory.bytes), globals: guest.globals.map(({ value }) => value), runner, method }
  const pages = snapshot.memory.byteLength / 65536
  return { module: patchModule(original, { ...bounds, snapshot: { pages, marked: true } }), snapshot }
}

/** The host of an interpreter during the build: provides the prelude's data and responds to every call of a warm-up program. */
class BootHost implements GuestHost {
  readonly #input: BuildInput
  #reply: Uint8Array = new Uint8Array()
  #program = ''

  constructor(input: BuildInput) {
    this.#input = input
  }

  run(program: string, send: () => void): void {
    this.#program = `execute\n${program}`
    send()
  }

  receive(message: Uint8Array): void {
    const tag = String.fromCharCode(message[0]!)
    if (tag === '!') throw new Error(new TextDecoder().decode(message.slice(1)))
    if (tag === 'T') this.#reply = Buffer.from(JSON.stringify(this.#input.tools))
    if (tag === 'N') this.#reply = Buffer.from(JSON.stringify(this.#input.resources))
    if (tag === 'P') this.#reply = Buffer.from(this.#program)
    if (tag === 'D') this.#reply = Buffer.from('AText.')
    if (tag === 'C') this.#reply = Buffer.from(SAMPLE_ANSWER)
  }

  reply(): Uint8Array {
    return this.#reply
  }
}

const SAMPLE_ITEM = {
  id: 'prod_1',
  name: 'Tea',
  status: 'draft',
  count: 1,
  price: 1.5,
  tags: ['a'],
  note: null,
  on: true,
}
const SAMPLE_ANSWER = `A${JSON.stringify({ ...SAMPLE_ITEM, object: 'list', data: [SAMPLE_ITEM], has_more: false })}`

function evaluate(guest: Guest, name: string, code: string): number {
  const { value, raised } = guest.evaluate(`begin; ${code}\nrescue Exception => error; ${REPORT}; raise; end`)
  if (raised) throw new Error(`${name} of the Ruby prelude raised`)
  return value
}

const REPORT = 'Sandbox::Bridge.tell("!#{error.message} (#{error.class}) #{error.backtrace&.first}")'

/** Copies the memory except for pages that contain only zeros, which would take up memory if they were written. */
function copyOf(memory: Uint8Array<ArrayBuffer>): Pick<Snapshot, 'memory' | 'runs'> {
  const copy = new SharedArrayBuffer(memory.length)
  const runs = usedRuns(Buffer.from(memory.buffer))
  copyRuns(runs, memory, new Uint8Array(copy))
  return { memory: copy, runs }
}
