/** A whole interpreter at rest: its memory, its globals, and where to enter it. */
export interface Snapshot {
  memory: SharedArrayBuffer
  globals: number[]
  /** The runner object and the id of its method, as the interpreter knows them. */
  runner: number
  method: number
}

/** What every worker is given: the module is compiled once, the snapshot exists once. */
export interface Artefact {
  module: WebAssembly.Module
  maximumPages: number
  snapshot: Snapshot
}
