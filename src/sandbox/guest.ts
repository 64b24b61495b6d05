import { GuestMemory } from './guest-memory.ts'
import { type GuestHost, importTable } from './import-table.ts'

/** The number of globals that hold state outside of memory: the stack pointer and asyncify's state and data pointer. */
export const GUEST_GLOBALS = 3

type GuestFunction = (...parameters: number[]) => number

/** The result of evaluating or calling Ruby code; `raised` means that the code ended with an exception. */
interface RubyResult {
  value: number
  raised: boolean
}

/** A Ruby interpreter: a WebAssembly instance of the module with our import table. */
export class Guest {
  readonly memory: GuestMemory
  readonly globals: WebAssembly.Global<'i32'>[]
  readonly #functions: Map<string, GuestFunction>

  constructor(module: WebAssembly.Module, host: GuestHost, environment?: string[]) {
    const instance = new WebAssembly.Instance(
      module,
      importTable(module, () => this, host, environment),
    )
    const { exports } = instance
    const { memory, marks } = exports as Record<'memory' | 'marks', WebAssembly.Memory>
    this.memory = new GuestMemory(memory, new Uint8Array(marks.buffer))
    this.globals = Array.from(
      { length: GUEST_GLOBALS },
      (_, index) => exports[`global${index}`] as WebAssembly.Global<'i32'>,
    )
    this.#functions = new Map(
      Object.entries(exports).map(([name, value]) => [name.split(':', 1)[0]!, value as GuestFunction]),
    )
  }

  /** Starts the interpreter. Do not boot an instance whose memory is copied from a snapshot. */
  boot(commandLine: string[]): void {
    this.#call('_initialize')
    const list = this.allocate(commandLine.length * 8)
    for (const [index, argument] of commandLine.entries()) this.#writeText(list + 8 * index, argument)
    this.#call('ruby-init', list, commandLine.length)
  }

  /** Evaluates trusted Ruby code while a snapshot is built. */
  evaluate(code: string): RubyResult {
    const text = this.allocate(8)
    this.#writeText(text, code)
    return this.#protected('rb-eval-string-protect', this.memory.read32(text), this.memory.read32(text + 4))
  }

  intern(name: string): number {
    const text = this.allocate(8)
    this.#writeText(text, name)
    return this.#call('rb-intern', this.memory.read32(text), this.memory.read32(text + 4))
  }

  send(receiver: number, method: number): RubyResult {
    return this.#protected('rb-funcallv-protect', receiver, method, 0, 0)
  }

  allocate(length: number): number {
    return this.#call('cabi_realloc', 0, 0, 4, length)
  }

  #protected(name: string, ...parameters: number[]): RubyResult {
    const result = this.#call(name, ...parameters)
    return { value: this.memory.read32(result), raised: this.memory.read32(result + 4) !== 0 }
  }

  /** Writes a text in the interpreter's form: a NUL-terminated C string and its length. */
  #writeText(slot: number, text: string): void {
    const bytes = new TextEncoder().encode(`${text}\0`)
    const pointer = this.allocate(bytes.length)
    this.memory.write(pointer, bytes)
    this.memory.write32(slot, pointer)
    this.memory.write32(slot + 4, bytes.length)
  }

  #call(name: string, ...parameters: number[]): number {
    const guestFunction = this.#functions.get(name)
    if (!guestFunction) throw new Error(`The interpreter exports no ${name}`)
    return guestFunction(...parameters)
  }
}
