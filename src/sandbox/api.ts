import type { Json } from '../contract/values/json.ts'
import type { RequestBound } from '../contract/values/request-bounds.ts'

/** JSON that crosses the boundary of the sandbox. */
export type { Json }

/** A row of the catalogue, as `tools` shows it to programs. `parameters` and `request_body` keep string keys. */
export interface Tool {
  method: string
  path: string
  summary: string
  description: string
  tags: string[]
  parameters: Json[]
  request_body: Json
}

/** A request of a program: `post("/products", name: "Tea")`. */
export interface ProgramCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path as the program wrote it; the host normalizes it. */
  path: string
  params: { [key: string]: Json }
  /** The limit that the call exceeds. Then its parameters are left out, and an overlong path is cut. */
  over: RequestBound | null
  /** The line of the program that made the call. */
  line: number | null
  /** Whether `list` makes the call: it reads as many pages as the program uses. */
  listing: boolean
  /** True for a call of a Ruby helper of the prelude to an operation declared for it; absent from all other calls. */
  word?: boolean | undefined
  /** The maximum number of rows that `each_batch` requests; absent from all other calls. */
  batch?: number | undefined
}

/** A program's questions to the host other than calls. */
export type Question =
  /** The milliseconds by which the account's clock is ahead of the system clock. The answer is a number. */
  | { about: 'clock' }
  /** The account's time zone. The answer is its IANA name. */
  | { about: 'zone' }
  /**
   * Starts a rehearsal: the following calls belong to a task's program until the question is repeated with null. The answer has ids for the
   * run and for its trigger event. Rejects with QuestionRefused if the task cannot be rehearsed.
   */
  | { about: 'rehearsal'; task: string | null }

/** A question was refused. The message is a sentence for the program's author, and the program continues. */
export class QuestionRefused extends Error {
  override name = 'QuestionRefused'
}

/** The host's response to a call. */
export interface CallAnswer {
  body: Json
  /** Whether the call was refused: the program then gets an object that only answers to its error. */
  refused: boolean
  /** The HTTP status, for the message about a refusal that the program ignored. */
  status?: number
}

/** One question of a `describe`, and the results of the guest's search for it. */
export interface DescribeQuestion {
  what: string
  /** Positions in `tools`, best match first. */
  found: number[]
  /** The number of leading results that are each the best match for a part of the question; 0 if nothing matches. */
  bests: number
}

/** Returns the text of a `describe`; `again` means that the program has called it before. */
export type Describe = (questions: DescribeQuestion[], options: { again: boolean }) => string

/** The maximum size of a program. A model writes it in one turn; the longest ones seen are under 20 KB. */
export const MAX_PROGRAM_BYTES = 256 * 1024

/** The maximum size of a result as JSON. A model reads it, and more would displace other content from its context. */
export const MAX_RESULT_BYTES = 100_000

/** The maximum size of a result that is stored in a file; small enough to be parsed without a long delay for others. */
export const MAX_WHOLE_BYTES = 4 * 1024 * 1024

/** A program to run. All programs have `tools` and `resources`; `execute` programs also have the request methods. */
export interface Program {
  kind: 'search' | 'execute'
  code: string
  /** Queue keys take turns, so that the programs of one key cannot delay those of another. */
  queueKey: string
  /** Milliseconds from the start of the program until it is stopped; 5,000 by default, as in the contract. */
  deadlineMs?: number
  /** Aborting kills the program or removes it from the queue; its outcome is `canceled`. */
  signal?: AbortSignal
  /** Returns a result of up to `MAX_WHOLE_BYTES` unshortened. */
  whole?: boolean
  /** Answers a question. If absent, the program has the system clock and no time zone. A rejection ends the program with `host_error`. */
  ask?: (question: Question) => Promise<Json>
  /** Handles a call. A rejection ends the program with `host_error`; a refused request is a normal response. */
  call?: (call: ProgramCall) => Promise<CallAnswer>
}

/** The reason why a program failed. */
export type ProgramErrorType =
  | 'syntax_error'
  | 'unknown_path' // a literal path that no operation has, found before the first call
  | 'ruby_error' // an exception that the program did not rescue
  | 'refused' // the program used the response of a refused call for something other than its error
  | 'forbidden' // something that the sandbox does not provide
  | 'invalid_program' // empty, not text, too long
  | 'invalid_result' // a value that cannot become JSON
  | 'deadline_exceeded'
  | 'memory_limit'
  | 'call_limit'
  | 'canceled'
  | 'busy' // the queue is full
  | 'host_error'

export interface ProgramError {
  type: ProgramErrorType
  /** One plain sentence, with Ruby's own message if there is one. */
  message: string
  /** Line number (from 1) and text in the agent's program. */
  line: number | null
  source: string | null
  /** One concrete repair, or null. */
  hint: string | null
}

/** The outcome of a program. `Sandbox.run` never rejects: every failure is an outcome. */
export type Outcome = {
  /** The program's output, up to the limit. */
  output: string
  /** Whether the output exceeded the limit. */
  outputCut?: boolean
  warnings: string[]
  /** Milliseconds from the start of the program, without its time in the queue. */
  durationMs: number
  /**
   * Refused calls whose response the program never looked at, as ordinals: 0 is the first call. Empty if the program was killed, and not
   * trustworthy: a program can claim to have looked.
   */
  overlooked: number[]
  /** Refused calls whose responses are part of the result. */
  returned: number[]
} & (
  | { ok: true; value: Json /** Whether the result was too long. */; shortened: boolean }
  | { ok: false; error: ProgramError }
)

/** The current load of the sandbox. */
export interface SandboxLoad {
  waiting: number
  running: number
  interpreters: number
}

/** Receives durations, in milliseconds. */
export interface SandboxWatch {
  /** Called for each program with its time from arrival to start. */
  waited(waitedMs: number): void
  /** Called for each new interpreter with the time until it was ready. */
  started(tookMs: number): void
}

/** The only interface to the sandbox. */
export interface Sandbox {
  run(program: Program): Promise<Outcome>
  /** Stops the workers; running programs end as `canceled`. */
  close(): Promise<void>
}

export interface OpenSandbox extends Sandbox {
  load(): SandboxLoad
}
