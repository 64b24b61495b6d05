import type { Question } from './api.ts'
import type { CallText } from './call-text.ts'
import type { Limits } from './limits.ts'
import type { Artefact } from './snapshot.ts'

export interface WorkerInput extends Artefact {
  channel: ChannelBuffers
  limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>
  /** The directory of compiled modules; null if there is none. */
  compileCache: string | null
}

/** The memory that a worker and the main thread share. */
export interface ChannelBuffers {
  /** Numbers that describe the state of the exchange. See `WORD`. */
  words: SharedArrayBuffer
  /** The next program: its kind, a line break and its text. */
  program: SharedArrayBuffer
  /** The response to the call that the worker waits for. The buffer grows as needed. */
  answer: SharedArrayBuffer
  /** The text that the program has printed so far. It survives when the worker is killed. */
  output: SharedArrayBuffer
}

export const WORD = { answered: 0, answerBytes: 1, outputBytes: 2, outputCut: 3, programBytes: 4, whole: 5 } as const
export const WORDS = 6

export interface RunMessage {
  kind: 'search' | 'execute'
  code: string
  whole: boolean
}

/** The maximum length of the prefix of a program's text: `execute` and a line break. */
export const KIND_BYTES = 8

/** A message from a worker. The texts in `call`, `describe` and `done` and the task in `question` cannot be trusted. */
export type WorkerMessage =
  | { type: 'ready' }
  | ({ type: 'call' } & CallText)
  | { type: 'question'; question: Question }
  | { type: 'describe'; text: string }
  | ({ type: 'done'; text: string } & RunFacts)
  | ({ type: 'broken'; ending: BrokenEnding } & RunFacts)

interface RunFacts {
  durationMs: number
  /** Whether the worker cannot run another program. The main thread then replaces it, which also frees the memory of its instance. */
  spent: boolean
}

/** The way in which a program broke down without reporting its own end. */
export type BrokenEnding = 'stack' | 'memory' | 'forbidden' | 'result_too_large' | 'request_too_large' | 'crash'
