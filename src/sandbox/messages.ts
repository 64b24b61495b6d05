import type { Question } from './api.ts'
import type { CallText } from './call-text.ts'
import type { Limits } from './limits.ts'
import type { Artefact } from './snapshot.ts'

/** The data that a worker is started with. */
export interface WorkerInput extends Artefact {
  channel: ChannelBuffers
  limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>
  /** The directory of compiled modules, or null when there is none. */
  compileCache: string | null
}

/** Memory shared by a worker and the main thread. */
export interface ChannelBuffers {
  /** The state words; see `WORD`. */
  words: SharedArrayBuffer
  /** The next program: its kind, a line break and its text. */
  program: SharedArrayBuffer
  /** The response to the call that the worker waits for; grown to fit. */
  answer: SharedArrayBuffer
  /** The program's output so far; it survives when the worker is killed. */
  output: SharedArrayBuffer
}

export const WORD = { answered: 0, answerBytes: 1, outputBytes: 2, outputCut: 3, programBytes: 4, whole: 5 } as const
export const WORDS = 6

export interface RunMessage {
  kind: 'search' | 'execute'
  code: string
  /** Whether a long result is returned unshortened. */
  whole: boolean
}

/** The length of `execute` and a line break, the longest prefix of a program's text. */
export const KIND_BYTES = 8

/**
 * A message of a worker, which asks for the account's clock and zone once per program. `call`, `describe` and `done` carry JSON of the
 * guest, and a question may name a task: none of this can be trusted.
 */
export type WorkerMessage =
  | { type: 'ready' }
  | ({ type: 'call' } & CallText)
  | { type: 'question'; question: Question }
  | { type: 'describe'; text: string }
  | ({ type: 'done'; text: string } & RunFacts)
  | ({ type: 'broken'; ending: BrokenEnding } & RunFacts)

interface RunFacts {
  durationMs: number
  /** Whether the worker cannot run another program. Replacing it also frees the memory of its instance. */
  spent: boolean
}

/** The reason why a program could not report its own end. */
export type BrokenEnding = 'stack' | 'memory' | 'forbidden' | 'result_too_large' | 'request_too_large' | 'crash'
