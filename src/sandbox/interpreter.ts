import { Guest } from './guest.ts'
import { ForbiddenImport, type GuestHost } from './import-table.ts'
import type { BrokenEnding } from './messages.ts'
import { Restorer } from './restore.ts'
import type { Artefact } from './snapshot.ts'
import { copyRuns } from './sparse-copy.ts'
import { TooLarge } from './worker-channel.ts'

/** An instance that crashes with more than this share of its maximum memory in use has probably run out of memory. */
const NEARLY_FULL = 0.85

/** A reusable interpreter: it runs a program and is then restored to its initial state. */
export class Interpreter {
  readonly #artefact: Artefact
  readonly #restorer: Restorer
  readonly #maximumBytes: number
  readonly #guest: Guest
  #trapped = false

  constructor(artefact: Artefact, host: GuestHost) {
    this.#artefact = artefact
    this.#restorer = new Restorer(artefact.snapshot.memory)
    this.#maximumBytes = artefact.maximumPages * 65536
    this.#guest = new Guest(artefact.module, host)
    copyRuns(artefact.snapshot.runs, new Uint8Array(artefact.snapshot.memory), this.#guest.memory.bytes)
    this.restore()
  }

  /** Used by tests that compare the restored state with the snapshot. */
  get guest(): Guest {
    return this.#guest
  }

  /** Runs the current program. Returns null if the guest ended normally, or the way in which it broke down. */
  run(): BrokenEnding | null {
    try {
      const { runner, method } = this.#artefact.snapshot
      this.#guest.send(runner, method)
      return null
    } catch (error) {
      this.#trapped = true
      return this.#endingOf(error)
    }
  }

  /**
   * Whether the instance may not run another program, because its state cannot be trusted or its memory has grown, which cannot be undone.
   * The third global, asyncify's data pointer, is not compared because it has no meaning while asyncify is inactive.
   */
  get spent(): boolean {
    const { memory, globals } = this.#artefact.snapshot
    const atRest = this.#guest.globals.slice(0, 2).every((global, index) => global.value === globals[index])
    return this.#trapped || !atRest || this.#guest.memory.bytes.length !== memory.byteLength
  }

  /** Restores the initial state after a program. Do not call this on a spent instance. */
  restore(): void {
    this.#restorer.restore(this.#guest.memory)
    for (const [index, value] of this.#artefact.snapshot.globals.entries()) this.#guest.globals[index]!.value = value
  }

  #endingOf(error: unknown): BrokenEnding {
    if (error instanceof TooLarge) return error.ending
    if (error instanceof ForbiddenImport) return 'forbidden'
    if (this.#guest.memory.bytes.length > this.#maximumBytes * NEARLY_FULL) return 'memory'
    if (error instanceof RangeError) return 'stack'
    return error instanceof WebAssembly.RuntimeError && /out of bounds/.test(error.message) ? 'stack' : 'crash'
  }
}
