import { boundedCall } from './call-text.ts'
import type { GuestHost } from './import-table.ts'
import type { Limits } from './limits.ts'
import {
  type BrokenEnding,
  type ChannelBuffers,
  type RunFacts,
  type RunMessage,
  WORD,
  type WorkerMessage,
} from './messages.ts'
import { boundedReport } from './report.ts'

/** The guest sent a message that is over its limit. */
export class TooLarge extends Error {
  readonly ending: 'result_too_large' | 'request_too_large'

  constructor(ending: 'result_too_large' | 'request_too_large') {
    super(ending)
    this.ending = ending
  }
}

const TAG = { program: 80, call: 67, write: 87, result: 82 } as const // P C W R
const NOTHING = new Uint8Array()

/** The worker's end of the bridge: takes the guest's messages and waits for the main thread's answers. */
export class WorkerChannel implements GuestHost {
  readonly #words: Int32Array
  readonly #answer: Uint8Array
  readonly #output: Uint8Array
  readonly #limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>
  readonly #post: (message: WorkerMessage) => void
  #program: Uint8Array = NOTHING
  #reply: Uint8Array = NOTHING
  #result: string | null = null

  constructor(
    buffers: ChannelBuffers,
    limits: Pick<Limits, 'requestBytes' | 'outputBytes' | 'resultBytes'>,
    post: (message: WorkerMessage) => void,
  ) {
    this.#words = new Int32Array(buffers.words)
    this.#answer = new Uint8Array(buffers.answer)
    this.#output = new Uint8Array(buffers.output)
    this.#limits = limits
    this.#post = post
  }

  open({ kind, code }: RunMessage): void {
    this.#program = Buffer.from(`${kind}\n${code}`)
    this.#reply = NOTHING
    this.#result = null
  }

  /** The message that ends the program: the guest's report, or how it broke. */
  close(ending: BrokenEnding | null, facts: RunFacts): WorkerMessage {
    if (this.#result !== null && ending !== 'forbidden') return { type: 'done', text: this.#result, ...facts }
    return { type: 'broken', ending: ending ?? 'crash', ...facts }
  }

  receive(message: Uint8Array): void {
    const body = message.subarray(1)
    if (message[0] === TAG.write) this.#write(body)
    else if (message[0] === TAG.call) this.#call(body)
    else if (message[0] === TAG.result) this.#end(body)
    else if (message[0] === TAG.program) this.#reply = this.#program
  }

  reply(): Uint8Array {
    return this.#reply
  }

  #call(request: Uint8Array): void {
    if (request.length > this.#limits.requestBytes) throw new TooLarge('request_too_large')
    Atomics.store(this.#words, WORD.answered, 0)
    this.#post({ type: 'call', ...boundedCall(decode(request)) })
    Atomics.wait(this.#words, WORD.answered, 0)
    this.#reply = this.#answer.subarray(0, Atomics.load(this.#words, WORD.answerBytes))
  }

  #end(result: Uint8Array): void {
    if (result.length > this.#limits.resultBytes) throw new TooLarge('result_too_large')
    this.#result = boundedReport(decode(result))
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
