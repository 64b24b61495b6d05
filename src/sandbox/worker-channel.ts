import { type Json, jsonIn } from '../contract/values/json.ts'
import { type JsonBounds, overBounds } from '../contract/values/json-shape.ts'
import { shorten } from '../contract/values/shorten.ts'
import { MAX_RESULT_BYTES, type Question } from './api.ts'
import { boundedCall } from './call-text.ts'
import { MAX_QUESTIONS_BYTES } from './describe-questions.ts'
import type { GuestHost } from './import-table.ts'
import type { Limits } from './limits.ts'
import { answerAboutZone, MAX_ZONE_QUESTION } from './local-time.ts'
import { type BrokenEnding, type ChannelBuffers, KIND_BYTES, WORD, type WorkerMessage } from './messages.ts'

export class TooLarge extends Error {
  readonly ending: 'result_too_large' | 'request_too_large'

  constructor(ending: 'result_too_large' | 'request_too_large') {
    super(ending)
    this.ending = ending
  }
}

const TAG = { program: 80, call: 67, describe: 68, write: 87, result: 82, zone: 90, rehearsal: 72 } as const // P C D W R Z H
const NOTHING = new Uint8Array()
const MAX_TASK_BYTES = 100

/** A report within these bounds is passed on unchanged, because the main thread parses it in a few milliseconds at most. */
const SMALL: JsonBounds = { members: 20_000, depth: 110 }
/** Shortening a result is recursive, so its depth is limited. The prelude refuses deeper values, but a program can redefine the prelude. */
const DEEPEST: JsonBounds = { members: Infinity, depth: SMALL.depth }
const LARGE: JsonBounds = { members: 500_000, depth: SMALL.depth }
const MAX_NUMBERS = 1_000
const MAX_TEXTS = 20

const TOO_DEEP = JSON.stringify({
  ok: false,
  error: { type: 'invalid_result', message: 'The result is nested too deeply.', line: null, hint: null },
})

/** The worker's side of the bridge: receives the guest's messages and waits for the main thread's responses. */
export class WorkerChannel implements GuestHost {
  readonly #words: Int32Array
  readonly #nextProgram: Uint8Array
  readonly #answer: Uint8Array
  readonly #output: Uint8Array
  readonly #limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>
  readonly #post: (message: WorkerMessage) => void
  #program: Uint8Array | null = null
  #startedAt = 0
  #reply: Uint8Array = NOTHING
  #result: string | null = null
  /** Facts about the account, cached for the current program. Null for a program that has no account. */
  #account: { clockAheadMs?: number; zone?: string } | null = null

  constructor(
    buffers: ChannelBuffers,
    limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>,
    post: (message: WorkerMessage) => void,
  ) {
    this.#words = new Int32Array(buffers.words)
    this.#nextProgram = new Uint8Array(buffers.program)
    this.#answer = new Uint8Array(buffers.answer)
    this.#output = new Uint8Array(buffers.output)
    this.#limits = limits
    this.#post = post
  }

  /** Sets the program that the guest runs next. Without it, the guest waits for a program from the main thread. */
  open(program: Uint8Array): void {
    this.#program = program
    this.#startedAt = performance.now()
  }

  /** Ends the program. Returns the message for the main thread: the guest's report, or the way in which the program broke down. */
  close(ending: BrokenEnding | null, spent: boolean): WorkerMessage {
    const facts = { durationMs: performance.now() - this.#startedAt, spent }
    const result = this.#result
    this.#program = this.#result = this.#account = null
    this.#reply = NOTHING
    if (result !== null && ending !== 'forbidden') return { type: 'done', text: result, ...facts }
    return { type: 'broken', ending: ending ?? 'crash', ...facts }
  }

  receive(message: Uint8Array): void {
    const body = message.subarray(1)
    if (message[0] === TAG.write) this.#write(body)
    else if (message[0] === TAG.call) this.#call(body)
    else if (message[0] === TAG.zone) this.#reply = Buffer.from(this.#answerAboutZone(body))
    else if (message[0] === TAG.rehearsal) this.#reply = this.#rehearse(body)
    else if (message[0] === TAG.describe) this.#describe(body)
    else if (message[0] === TAG.result) this.#end(body)
    else if (message[0] === TAG.program) this.#reply = this.#currentProgram()
  }

  reply(): Uint8Array {
    return this.#reply
  }

  /** Returns the account's time while a program of an account runs, and the system time otherwise. */
  now(): number {
    const account = this.#account
    if (account === null) return Date.now()
    account.clockAheadMs ??= Number(this.#ask({ about: 'clock' })) || 0
    return Date.now() + account.clockAheadMs
  }

  /** Returns the current program, or sleeps until there is one: shared memory wakes a thread sooner than a message does. */
  #currentProgram(): Uint8Array {
    if (this.#program) return this.#program
    Atomics.wait(this.#words, WORD.programBytes, 0)
    const program = this.#nextProgram.slice(0, Atomics.exchange(this.#words, WORD.programBytes, 0))
    this.open(program)
    if (isExecution(program)) this.#account = {}
    return program
  }

  #call(request: Uint8Array): void {
    if (request.length > this.#limits.requestBytes) throw new TooLarge('request_too_large')
    this.#reply = this.#answered({ type: 'call', ...boundedCall(decode(request)) })
  }

  #describe(questions: Uint8Array): void {
    if (questions.length > MAX_QUESTIONS_BYTES) throw new TooLarge('request_too_large')
    this.#reply = this.#answered({ type: 'describe', text: decode(questions) })
  }

  #answerAboutZone(question: Uint8Array): string {
    const account = this.#account
    return answerAboutZone(decode(question.subarray(0, MAX_ZONE_QUESTION)), () => {
      if (account === null) return null
      account.zone ??= String(this.#ask({ about: 'zone' }) ?? 'UTC')
      return account.zone
    })
  }

  /** Starts the rehearsal of a task. An empty id ends the rehearsal. */
  #rehearse(id: Uint8Array): Uint8Array {
    const task = decode(id.subarray(0, MAX_TASK_BYTES)) || null
    return this.#answered({ type: 'question', question: { about: 'rehearsal', task } })
  }

  /** Asks the main thread a question. Returns null if it has no answer; after an error, it ends the program at its next call. */
  #ask(question: Question): unknown {
    const reply = decode(this.#answered({ type: 'question', question }))
    return reply.startsWith('A') ? JSON.parse(reply.slice(1)) : null
  }

  /** Sends a message and blocks until the main thread has answered. */
  #answered(message: WorkerMessage): Uint8Array {
    Atomics.store(this.#words, WORD.answered, 0)
    this.#post(message)
    Atomics.wait(this.#words, WORD.answered, 0)
    return this.#answer.subarray(0, Atomics.load(this.#words, WORD.answerBytes))
  }

  #end(result: Uint8Array): void {
    if (result.length > this.#limits.resultBytes) throw new TooLarge('result_too_large')
    this.#result = boundedReport(decode(result), Atomics.load(this.#words, WORD.whole) === 1)
  }

  #write(text: Uint8Array): void {
    const used = Atomics.load(this.#words, WORD.outputBytes)
    const kept = text.subarray(0, this.#limits.outputBytes - used)
    this.#output.set(kept, used)
    Atomics.store(this.#words, WORD.outputBytes, used + kept.length)
    if (kept.length < text.length) Atomics.store(this.#words, WORD.outputCut, 1)
  }
}

function isExecution(program: Uint8Array): boolean {
  return decode(program.subarray(0, KIND_BYTES)) === 'execute\n'
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Shortens a long report in the worker, so that parsing the report does not block other requests in the main thread. */
function boundedReport(text: string, whole = false): string {
  if (whole && overBounds(text, LARGE) === null) return text
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES && overBounds(text, SMALL) === null) return text
  if (overBounds(text, DEEPEST) !== null) return TOO_DEEP
  const said = parsed(text)
  if (said.ok !== true || said.value === undefined) return JSON.stringify({ ok: false, error: shortened(said.error) })
  const value = shorten(said.value, MAX_RESULT_BYTES)
  return JSON.stringify({
    ok: true,
    value,
    shortened: value !== said.value,
    warnings: first(said.warnings, MAX_TEXTS).map(shortened),
    overlooked: first(said.overlooked, MAX_NUMBERS),
    returned: first(said.returned, MAX_NUMBERS),
  })
}

function parsed(text: string): { [key: string]: Json } {
  const said = jsonIn(text)
  return typeof said === 'object' && said !== null ? (said as { [key: string]: Json }) : {}
}

function first(values: Json | undefined, count: number): Json[] {
  return Array.isArray(values) ? values.slice(0, count) : []
}

function shortened(value: Json | undefined): Json {
  return shorten(value ?? null, MAX_RESULT_BYTES / MAX_TEXTS)
}
