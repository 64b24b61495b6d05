import type { MemoryRange } from './sparse-copy.ts'

/** An interpreter that is ready for a program: its memory, its globals, and its entry point. */
export interface Snapshot {
  memory: SharedArrayBuffer
  /** The parts of the memory that are not zero. */
  runs: MemoryRange[]
  globals: number[]
  /** The runner object and the id of its method, as values of the interpreter. */
  runner: number
  method: number
}

/** The compiled module and the snapshot, which all workers share. */
export interface Artefact {
  module: WebAssembly.Module
  maximumPages: number
  snapshot: Snapshot
}
