import type { Run } from './sparse-copy.ts'

/** An interpreter that is ready for a program: its memory, its globals, and where to enter it. */
export interface Snapshot {
  memory: SharedArrayBuffer
  /** The stretches of the memory that are not zero. */
  runs: Run[]
  globals: number[]
  /** The runner object and the id of its method, as the interpreter knows them. */
  runner: number
  method: number
}

/** What all workers share: the compiled module and the snapshot. */
export interface Artefact {
  module: WebAssembly.Module
  maximumPages: number
  snapshot: Snapshot
}
