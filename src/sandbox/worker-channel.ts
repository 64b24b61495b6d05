import { boundedCall } from './call-text.ts'
import { MAX_QUESTIONS_BYTES } from './describe-questions.ts'
import type { GuestHost } from './import-table.ts'
import type { Limits } from './limits.ts'
import { type BrokenEnding, type ChannelBuffers, WORD, type WorkerMessage } from './messages.ts'
import { boundedReport } from './report.ts'

/** The guest sent a message that is over its limit. */
export class TooLarge extends Error {
  readonly ending: 'result_too_large' | 'request_too_large'

  constructor(ending: 'result_too_large' | 'request_too_large') {
    super(ending)
    this.ending = ending
  }
}

const TAG = { program: 80, call: 67, describe: 68, write: 87, result: 82 } as const // P C D W R
const NOTHING = new Uint8Array()

/** The worker's end of the bridge: takes the guest's messages and waits for the main thread's answers. */
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

  /** Makes the next program that the guest asks for. Without it the guest gets what the main thread sends. */
  open(program: Uint8Array): void {
    this.#program = program
    this.#startedAt = performance.now()
  }

  /** The message that ends the program: the guest's report, or how it broke. */
  close(ending: BrokenEnding | null, spent: boolean): WorkerMessage {
    const facts = { durationMs: performance.now() - this.#startedAt, spent }
    const result = this.#result
    this.#program = this.#result = null
    this.#reply = NOTHING
    if (result !== null && ending !== 'forbidden') return { type: 'done', text: result, ...facts }
    return { type: 'broken', ending: ending ?? 'crash', ...facts }
  }

  receive(message: Uint8Array): void {
    const body = message.subarray(1)
    if (message[0] === TAG.write) this.#write(body)
    else if (message[0] === TAG.call) this.#call(body)
    else if (message[0] === TAG.describe) this.#describe(body)
    else if (message[0] === TAG.result) this.#end(body)
    else if (message[0] === TAG.program) this.#reply = this.#currentProgram()
  }

  reply(): Uint8Array {
    return this.#reply
  }

  /**
   * The program of this run. A guest that asks for the first time sleeps until there is one, which wakes it sooner than a
   * message would; asking again gives the same program, never the next one.
   */
  #currentProgram(): Uint8Array {
    if (this.#program) return this.#program
    Atomics.wait(this.#words, WORD.programBytes, 0)
    const program = this.#nextProgram.slice(0, Atomics.exchange(this.#words, WORD.programBytes, 0))
    this.open(program)
    return program
  }

  #call(request: Uint8Array): void {
    if (request.length > this.#limits.requestBytes) throw new TooLarge('request_too_large')
    this.#ask({ type: 'call', ...boundedCall(decode(request)) })
  }

  #describe(questions: Uint8Array): void {
    if (questions.length > MAX_QUESTIONS_BYTES) throw new TooLarge('request_too_large')
    this.#ask({ type: 'describe', text: decode(questions) })
  }

  /** Sends a message and sleeps until the main thread has answered it. */
  #ask(message: WorkerMessage): void {
    Atomics.store(this.#words, WORD.answered, 0)
    this.#post(message)
    Atomics.wait(this.#words, WORD.answered, 0)
    this.#reply = this.#answer.subarray(0, Atomics.load(this.#words, WORD.answerBytes))
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

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
