import type { Json } from '../contract/values/json.ts'
import type { RequestBound } from '../contract/values/request-bounds.ts'

/** JSON as it crosses the sandbox's boundary. */
export type { Json }

/** One row of the catalogue, as `tools` shows it to a program. `parameters` and `request_body` keep string keys. */
export interface Tool {
  method: string
  path: string
  summary: string
  description: string
  tags: string[]
  parameters: Json[]
  request_body: Json
}

/** One request that a program makes: `post("/products", name: "Tea")`. */
export interface ProgramCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As the program wrote it; making sense of it is the host's work. */
  path: string
  params: { [key: string]: Json }
  /** The bound that the call is over. Its parameters are left out then, and a long path is cut. */
  over: RequestBound | null
  /** The line of the program that made the call. */
  line: number | null
  /** Whether `list` makes the call, which reads as many pages as the program uses. */
  listing: boolean
  /** A word of the prelude makes the call: it is for an operation that is declared with a word. Absent from every other call. */
  word?: boolean | undefined
  /** For `each_batch`: the most rows of the batch that it asks for. Absent from every other call. */
  batch?: number | undefined
}

/** What a program needs to know of its host besides the answers to its calls. */
export type Question =
  /** How many milliseconds the account's clock is ahead of the system's. The answer is a number. */
  | { about: 'clock' }
  /** The account's time zone. The answer is its IANA name. */
  | { about: 'zone' }
  /**
   * From now on the calls are those of a task's program, until the same is asked with null. The answer has ids for its run and
   * for the event that it was started by. Rejects with QuestionRefused where that cannot be.
   */
  | { about: 'rehearsal'; task: string | null }

/** Why a question has no answer, as a sentence for the program's author. The program goes on. */
export class QuestionRefused extends Error {
  override name = 'QuestionRefused'
}

/** The host's answer to one call. */
export interface CallAnswer {
  body: Json
  /** A refusal reaches the program as an object that knows only its error. */
  refused: boolean
  /** The HTTP status, for the message of a refusal that the program did not look at. */
  status?: number
}

/** One thing that a program asks to have described, and what a search in the guest finds for its words. */
export interface DescribeQuestion {
  what: string
  /** Positions in `tools`, best first. */
  found: number[]
  /** How many of them, from the first on, are each the best for a part of what was asked. None: nothing is about it. */
  bests: number
}

/** Answers what a program asks `describe` for, as text; `again` if the program had an answer before. */
export type Describe = (questions: DescribeQuestion[], options: { again: boolean }) => string

/** A program is written by a model in one turn; the longest ones seen are under 20 KB. */
export const MAX_PROGRAM_BYTES = 256 * 1024

/** Bytes of a program's value as JSON. It is read by a model; more would only push other things out of its view. */
export const MAX_RESULT_BYTES = 100_000

/** Bytes of a value that is kept in a file instead of being read; small enough to be parsed without delaying others for long. */
export const MAX_WHOLE_BYTES = 4 * 1024 * 1024

/** A program to run. Both kinds see `tools` and `resources`; `execute` programs also see the request methods. */
export interface Program {
  kind: 'search' | 'execute'
  code: string
  /** Programs of one queue key take turns with those of the others. */
  queueKey: string
  /** Milliseconds from the program's start until it is stopped; the default is the contract's 5,000. */
  deadlineMs?: number
  /** Aborting kills the program (or takes it out of the queue): the outcome is `canceled`. */
  signal?: AbortSignal
  /** Gives a value of up to `MAX_WHOLE_BYTES` as it is, instead of shortening it for a reader. */
  whole?: boolean
  /** Answers a question. Without it the program has the system's clock and no time zone. A rejection ends the program with `host_error`. */
  ask?: (question: Question) => Promise<Json>
  /** Answers one call. A rejection ends the program with `host_error`; a refused request is an answer. */
  call?: (call: ProgramCall) => Promise<CallAnswer>
}

/** Why a program ended before its last line. */
export type ProgramErrorType =
  | 'syntax_error'
  | 'unknown_path' // a literal path that no operation has, found before the first call
  | 'ruby_error' // an exception that the program did not rescue
  | 'refused' // the program asked the answer to a refused call for something other than its error
  | 'forbidden' // something the sandbox does not have
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
  /** One sentence of plain words, with Ruby's own message where there is one. */
  message: string
  /** Line and text of the agent's own program, counted from 1. */
  line: number | null
  source: string | null
  /** One concrete repair, or null. */
  hint: string | null
}

/** How a program ended. `Sandbox.run` never rejects: every failure is an outcome. */
export type Outcome = {
  /** What the program printed, cut at the cap. */
  output: string
  /** It printed more than that. */
  outputCut?: boolean
  warnings: string[]
  /** From the program's start, not counting its time in the queue. */
  durationMs: number
  /**
   * The refused calls that the program never looked at, as ordinals: 0 is its first call. Empty when the program was
   * killed, and as honest as the program: it can claim to have looked.
   */
  overlooked: number[]
  /** The refused calls whose answers are part of the program's value. */
  returned: number[]
} & (
  | { ok: true; value: Json /** It was too long and was shortened. */; shortened: boolean }
  | { ok: false; error: ProgramError }
)

/** What the room has to do now. */
export interface SandboxLoad {
  waiting: number
  running: number
  interpreters: number
}

/** Hears how long things took, in milliseconds. */
export interface SandboxWatch {
  /** Each program from its arrival to its start. */
  waited(waitedMs: number): void
  /** Each new interpreter until it was ready. */
  started(tookMs: number): void
}

/** The one door of the room where programs run. */
export interface Sandbox {
  run(program: Program): Promise<Outcome>
  /** Stops the workers; programs that still run end as `canceled`. */
  close(): Promise<void>
}

export interface OpenSandbox extends Sandbox {
  load(): SandboxLoad
}
