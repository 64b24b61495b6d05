import { counted } from '../format/counts.ts'
import { durationInWords } from '../format/durations.ts'
import { memoryInWords } from '../format/sizes.ts'
import {
  type CallAnswer,
  type Describe,
  type Outcome,
  type Program,
  type ProgramError,
  type Question,
  QuestionRefused,
} from './api.ts'
import { type CallText, readCall } from './call-text.ts'
import { readQuestions } from './describe-questions.ts'
import type { Limits } from './limits.ts'
import type { WorkerMessage } from './messages.ts'
import { brokenOutcome, type Ending, failure, guestOutcome, lastCallOn } from './outcome.ts'
import type { WorkerThread } from './worker-thread.ts'

const SEVERAL_DESCRIPTIONS = /\bdescribe\b.*\bdescribe\b/s

/** A program from its arrival to its outcome. */
export class Job {
  readonly #program: Program
  readonly #limits: Limits
  readonly #describe: Describe | undefined
  readonly #settle: (outcome: Outcome) => void
  #worker: WorkerThread | null = null
  #startedAt = 0
  #cancel: (() => void) | null = null
  #calls = 0
  #questions = 0
  #descriptions = 0
  /** The keys of the texts that the program got from `describe` so far. */
  readonly #described = new Set<string>()
  readonly #refused = new Set<number>()
  #line: number | null = null
  /** The reason why the host ended the program. It takes precedence over the program's own report. */
  #stopped: ProgramError | null = null

  constructor(
    program: Program,
    { limits, describe }: { limits: Limits; describe: Describe | undefined },
    settle: (outcome: Outcome) => void,
  ) {
    this.#program = program
    this.#limits = limits
    this.#describe = describe
    this.#settle = settle
  }

  /** The start of the wait for a worker, on the clock of `performance.now()`. */
  waitsSince = 0

  get account(): string {
    return this.#program.queueKey
  }

  /** Runs the program on a worker. Resolves to true if the worker can be reused. */
  run(worker: WorkerThread): Promise<boolean> {
    this.#worker = worker
    this.#startedAt = performance.now()
    return new Promise((resolve) => {
      const end = (reusable: boolean, ending: Ending, durationMs?: number) => {
        clearTimeout(timer)
        worker.onMessage = null
        worker.onDeath = null
        this.#cancel = null
        this.#finish(ending, durationMs)
        resolve(reusable)
      }
      this.#cancel = () => end(false, this.#failure('canceled', 'The program was canceled.'))
      const timer = setTimeout(() => end(false, this.#late()), this.#program.deadlineMs ?? this.#limits.deadlineMs)
      worker.onMessage = (message) => this.#hear(message, end)
      worker.onDeath = () => end(false, this.#failure('ruby_error', 'The program crashed its interpreter.'))
      const { kind, code, whole = false } = this.#program
      worker.start({ kind, code, whole })
    })
  }

  /** Ends a program that found no room in the queue. */
  refuse(outcome: Outcome): void {
    this.#settle(outcome)
  }

  cancel(): void {
    this.#cancel?.()
  }

  #hear(message: WorkerMessage, end: (reusable: boolean, ending: Ending, durationMs?: number) => void): void {
    if (message.type === 'ready') return
    if (message.type === 'call') {
      void this.#answer(() => this.#reply(message))
      return
    }
    if (message.type === 'question') {
      void this.#answer(() => this.#replyToQuestion(message.question))
      return
    }
    if (message.type === 'describe') {
      if (this.#worker) this.#send(this.#worker, this.#description(message.text))
      return
    }
    const { code } = this.#program
    const ending =
      message.type === 'done'
        ? guestOutcome(message.text, code, this.#refused)
        : brokenOutcome(message.ending, this.#line, code)
    end(!message.spent, ending, message.durationMs)
  }

  async #answer(find: () => Promise<string>): Promise<void> {
    const worker = this.#worker!
    const reply = await find()
    if (worker.onMessage === null || this.#worker !== worker) return
    this.#send(worker, reply)
  }

  #send(worker: WorkerThread, reply: string): void {
    if (!worker.answer(reply)) worker.answer(this.#stop('host_error', 'The answer was too large for a program.'))
  }

  /** Handles a call. Returns `A` and the JSON of a response, `F` and that of a refusal, or `E` and a sentence that ends the program. */
  async #reply(text: CallText): Promise<string> {
    try {
      const call = readCall(text)
      this.#line = call.line
      if (this.#stopped) return `E${this.#stopped.message}`
      if (++this.#calls > this.#limits.calls) {
        return this.#stop('call_limit', `The program made more than ${this.#limits.calls} calls.`)
      }
      if (!this.#program.call) return this.#stop('host_error', 'Calls are not available here.')
      const ordinal = this.#calls - 1
      return this.#replyWith(await this.#program.call(call), ordinal)
    } catch (error) {
      return this.#stop(
        'host_error',
        `The call could not be answered: ${error instanceof Error ? error.message : error}`,
      )
    }
  }

  /** Answers a question. Returns `A` and JSON, `F` and a refusal, or `E` and a sentence that ends the program at its next call. */
  async #replyToQuestion(question: Question): Promise<string> {
    if (this.#stopped) return `E${this.#stopped.message}`
    if (++this.#questions > this.#limits.calls)
      return this.#stop('call_limit', `The program asked more than ${this.#limits.calls} questions.`)
    try {
      return `A${JSON.stringify((await this.#program.ask?.(question)) ?? null)}`
    } catch (error) {
      if (error instanceof QuestionRefused) return `F${error.message}`
      const reason = error instanceof Error ? error.message : error
      return this.#stop('host_error', `A question about the account could not be answered: ${reason}`)
    }
  }

  /** Handles a `describe`. Returns `A` and the description, or `E` and a sentence that ends the program. */
  #description(text: string): string {
    try {
      if (this.#stopped) return `E${this.#stopped.message}`
      if (++this.#descriptions > this.#limits.descriptions)
        return this.#stop('call_limit', `The program called describe more than ${this.#limits.descriptions} times.`)
      if (!this.#describe) return this.#stop('host_error', 'Descriptions are not available here.')
      // If a program calls `describe` several times, this key makes the first description as short as the later ones.
      if (this.#descriptions === 1 && SEVERAL_DESCRIPTIONS.test(this.#program.code))
        this.#described.add('other answers')
      return `A${this.#describe(readQuestions(text), this.#described)}`
    } catch (error) {
      return this.#stop('host_error', `Nothing could be described: ${error instanceof Error ? error.message : error}`)
    }
  }

  /** Encodes a response. A refusal begins with a line that has the call's ordinal number and status, for the guest's report. */
  #replyWith({ body, refused, status }: CallAnswer, ordinal: number): string {
    if (!refused) return `A${JSON.stringify(body)}`
    this.#refused.add(ordinal)
    return `F${ordinal} ${status ?? ''}\n${JSON.stringify(body)}`
  }

  #stop(type: 'host_error' | 'call_limit', message: string): string {
    this.#stopped = failure(type, message, this.#line, this.#program.code).error
    return `E${message}`
  }

  #late(): Ending {
    const seconds = (this.#program.deadlineMs ?? this.#limits.deadlineMs) / 1000
    const calls = counted(this.#calls, 'call')
    const message = `The program ran longer than ${durationInWords(seconds)} and was stopped after ${calls}.${lastCallOn(this.#line)}`
    return failure('deadline_exceeded', message)
  }

  #failure(type: ProgramError['type'], message: string): Ending {
    return failure(type, message, this.#line, this.#program.code)
  }

  #finish(ending: Ending, durationMs = performance.now() - this.#startedAt): void {
    const { text, cut } = this.#worker!.output()
    this.#worker = null
    const { warnings: noted, overlooked, returned } = ending
    const outcome = this.#stopped ? { ok: false as const, error: this.#stopped } : ending
    const warnings = cut ? [...noted, `The output was cut after ${memoryInWords(this.#limits.outputBytes)}.`] : noted
    this.#settle({ ...outcome, overlooked, returned, output: text, outputCut: cut, warnings, durationMs })
  }
}
