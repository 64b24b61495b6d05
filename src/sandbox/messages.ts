import type { CallText } from './call-text.ts'
import type { Question } from './door.ts'
import type { Limits } from './limits.ts'
import type { Artefact } from './snapshot.ts'

/** What a worker is started with. */
export interface WorkerInput extends Artefact {
  channel: ChannelBuffers
  limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>
  /** The directory of compiled modules, or null when there is none. */
  compileCache: string | null
}

/** Memory that a worker and the main thread both see. */
export interface ChannelBuffers {
  /** The state words; see `WORD`. */
  words: SharedArrayBuffer
  /** The next program: its kind, a line break and its text. */
  program: SharedArrayBuffer
  /** The answer to the call that the worker waits for; grown to fit. */
  answer: SharedArrayBuffer
  /** What the program has printed so far; it survives a worker that is killed. */
  output: SharedArrayBuffer
}

export const WORD = { answered: 0, answerBytes: 1, outputBytes: 2, outputCut: 3, programBytes: 4, whole: 5 } as const
export const WORDS = 6

/** A program as a worker takes it. */
export interface RunMessage {
  kind: 'search' | 'execute'
  code: string
  /** Whether a long value is given as it is. */
  whole: boolean
}

/** `execute` and a line break come before the text of a program. */
export const KIND_BYTES = 8

/**
 * From a worker, which asks for the account's clock and zone once a program. `call`, `describe` and `done` carry JSON text of the
 * guest, and a question may name a task, none of which is to be trusted.
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
  /** The worker cannot run another program. Replacing it also frees the memory that its instance holds. */
  spent: boolean
}

/** How a program ended that could not report its end itself. */
export type BrokenEnding = 'stack' | 'memory' | 'forbidden' | 'result_too_large' | 'request_too_large' | 'crash'
