import type { Aggregate } from '../contract/values/aggregate.ts'
import type { Json } from '../contract/values/json.ts'
import type { RequestBound } from '../contract/values/request-bounds.ts'

export type { Tool } from '../contract/values/catalogue-entry.ts'
export type { Json }

/** An API call of a Ruby program, such as `post("/products", name: "Tea")`. */
export interface ProgramCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path as the program wrote it; the host normalizes it. */
  path: string
  params: { [key: string]: Json }
  /** The limit that the call exceeds, if any. The parameters are then left out, and an overlong path is cut. */
  over: RequestBound | null
  line: number | null
  /** Whether the Ruby method `list` makes the call and reads as many pages as the program uses. */
  listing: boolean
  /** True if a Ruby helper of the prelude makes the call, which can then reach the operations that declare a `rubyHelper`. */
  word?: boolean | undefined
  /** A figure over all rows of a list, requested instead of the rows. Lists of computed rows ignore it and return a page. */
  aggregate?: Aggregate | undefined
  /** The maximum number of rows that `each_batch` requests with this call; absent for all other calls. */
  batch?: number | undefined
}

/** A question of a program to the host that is not an API call. */
export type Question =
  /** Requests the number of milliseconds by which the account's clock is ahead of the system clock. */
  | { about: 'clock' }
  /** Requests the IANA name of the account's time zone. */
  | { about: 'zone' }
  /**
   * Starts the rehearsal of a task, which runs its program within a dry run; null ends the rehearsal. The answer has ids for the
   * run and the triggering event.
   */
  | { about: 'rehearsal'; task: string | null }

/** Thrown when the host refuses to answer a question. The message is for the program's author, and the program continues. */
export class QuestionRefused extends Error {}

export interface CallAnswer {
  body: Json
  /** Whether the call was refused. The program then gets an object that has only an error. */
  refused: boolean
  /** The HTTP status, used in the message about a refusal that the program ignored. */
  status?: number
}

/** One question that a program passes to `describe`, and the search results that the guest found for it. */
export interface DescribeQuestion {
  what: string
  /** The positions of the found operations in `tools`, best match first. */
  found: number[]
  /** The number of results at the start of `found` that are each the best match for a part of the question; 0 if nothing matches. */
  bests: number
}

/** Returns the text that `describe` gives the program. `said` collects what was described to it, so that nothing is repeated. */
export type Describe = (questions: DescribeQuestion[], said: Set<string>) => string

/** A model writes a program in one turn; the longest ones seen are under 20 KB. */
export const MAX_PROGRAM_BYTES = 256 * 1024

/** Applies to the result as JSON. A longer result would displace other content from the model's context. */
export const MAX_RESULT_BYTES = 100_000

/** The maximum size of a result that the client stores in a file. JSON of this size is parsed without delaying other requests for long. */
export const MAX_WHOLE_BYTES = 4 * 1024 * 1024

/** A program to run. All programs have `tools` and `resources`; `execute` programs also have the request methods. */
export interface Program {
  kind: 'search' | 'execute'
  code: string
  /** The key of the queue, usually the account. Keys take turns, so the programs of one cannot delay those of another. */
  queueKey: string
  /** The maximum duration in milliseconds; 5,000 by default. */
  deadlineMs?: number
  /** Aborting this signal kills the program or removes it from the queue. The outcome is then the error `canceled`. */
  signal?: AbortSignal
  whole?: boolean
  /** Answers a question. If absent, programs use the system clock and have no time zone. A rejection is reported as `host_error`. */
  ask?: (question: Question) => Promise<Json>
  /** Handles an API call. A rejection ends the program with `host_error`. A refused request is a normal response. */
  call?: (call: ProgramCall) => Promise<CallAnswer>
}

export type ProgramErrorType =
  | 'syntax_error'
  | 'unknown_path' // a path in the program's text that no operation has, found before the first call
  | 'ruby_error' // an exception that the program did not rescue
  | 'refused' // the program used the response of a refused call as if the call had succeeded
  | 'forbidden' // the program used something that the sandbox does not provide
  | 'invalid_program' // the program is empty, not text, or too long
  | 'invalid_result' // the program's result cannot become JSON
  | 'deadline_exceeded'
  | 'memory_limit'
  | 'call_limit'
  | 'canceled'
  | 'busy' // the queue of programs is full
  | 'host_error'

export interface ProgramError {
  type: ProgramErrorType
  /** One sentence, which includes Ruby's own message if there is one. */
  message: string
  /** The number (from 1) and the text of the line at which the program failed. */
  line: number | null
  source: string | null
  /** One concrete way to fix the program, or null. */
  hint: string | null
}

/** The outcome of a program. A failure is also an outcome: `Sandbox.run` never rejects. */
export type Outcome = {
  output: string
  /** Whether the program printed more than the limit allows. */
  outputCut?: boolean
  warnings: string[]
  /** Excludes the time in the queue. */
  durationMs: number
  /** Refused calls whose response the program ignored: 0 is the first call. Do not rely on the list, because a program can falsify it. */
  overlooked: number[]
  /** The ordinal numbers of refused calls whose responses are part of the result. */
  returned: number[]
} & (
  | { ok: true; value: Json /** Whether the result was too long. */; shortened: boolean }
  | { ok: false; error: ProgramError }
)

export interface SandboxLoad {
  waiting: number
  running: number
  interpreters: number
}

/** Receives measured durations in milliseconds. */
export interface SandboxWatch {
  /** Called when a program starts, with the time that it spent in the queue. */
  waited(waitedMs: number): void
  /** Called when a new interpreter is ready, with the time that its start took. */
  started(tookMs: number): void
}

/** Runs Ruby programs. The rest of the application uses the sandbox only through this interface. */
export interface Sandbox {
  run(program: Program): Promise<Outcome>
  /** Stops the workers. Running programs end with the error `canceled`. */
  close(): Promise<void>
}

export interface OpenSandbox extends Sandbox {
  load(): SandboxLoad
}
