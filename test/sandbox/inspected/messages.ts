import type { BrokenEnding } from '../../../src/sandbox/messages.ts'

/** To the worker: a program, and what to look for in the interpreter's memory when it has run. */
export interface InspectMessage {
  kind: 'search' | 'execute'
  code: string
  traces: Uint8Array[]
}

/** From the worker: what became of the program, and of the interpreter's state. */
export interface Inspection {
  ending: BrokenEnding | null
  /** What the guest reported of its end, if it did. */
  report: string | null
  /** How many of the traces were in memory after the program, and how many are there after restoring. */
  found: number
  left: number
  /** The interpreter was thrown away, so nothing was restored. */
  spent: boolean
  /** Where the restored state differs from the snapshot, or null. */
  difference: string | null
}
