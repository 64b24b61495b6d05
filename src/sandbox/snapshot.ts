import type { MemoryRange } from './sparse-copy.ts'

/** The state of an interpreter that can run a program at once: its memory, its globals, and its entry point. */
export interface Snapshot {
  memory: SharedArrayBuffer
  /** The ranges of the memory that are not zero. */
  runs: MemoryRange[]
  globals: number[]
  /** The Ruby object that runs programs and the id of its method, as values of the interpreter. */
  runner: number
  method: number
}

/** The compiled module and the snapshot. All workers share them. */
export interface Artefact {
  module: WebAssembly.Module
  maximumPages: number
  snapshot: Snapshot
}
