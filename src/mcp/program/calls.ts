import type { Caller } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import { TransactionLostError } from '../../database/database.ts'
import type { OperationAnswer, OperationRequest } from '../../pipeline/request.ts'
import type { Tables } from '../../resources/tables.ts'
import type { CallAnswer, Json, ProgramCall } from '../../sandbox/door.ts'
import type { Addresses } from '../endpoint/addresses.ts'
import { type CallRecord, Journal, messageOf, noteAnswer } from './journal.ts'
import { PageWatch } from './page-watch.ts'
import type { ParameterNames } from './parameter-names.ts'
import { type ProgramRequest, toRequest } from './request-path.ts'
import { ProgramEndedError, type ProgramScope } from './scope.ts'

/** What the calls of every program need. */
export interface CallParts {
  runOperation(request: OperationRequest): Promise<OperationAnswer>
  names: ParameterNames
  addresses: Addresses
  docsUrl: string
  log: Log
}

/** Where unexpected errors go. */
export interface Log {
  error(details: object, message: string): void
}

/** Told of each answered call, for progress. */
export type CallListener = (call: CallRecord) => void

/** Different warnings about calls that one answer carries. */
const KEPT_WARNINGS = 10

/** Answers the calls of one run of a program and keeps account of them. */
export class ProgramCalls {
  readonly journal = new Journal()
  readonly pages = new PageWatch()
  readonly #parts: CallParts
  readonly #caller: Caller
  readonly #scope: ProgramScope<Tables>
  readonly #onCall: CallListener | undefined
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #warnings = new Set<string>()
  #ended = false

  constructor(parts: CallParts, caller: Caller, scope: ProgramScope<Tables>, onCall: CallListener | undefined) {
    this.#parts = parts
    this.#caller = caller
    this.#scope = scope
    this.#onCall = onCall
  }

  /** What was odd about the calls: ignored parameters, paths that do not exist. */
  get warnings(): string[] {
    return [...this.#warnings]
  }

  /** Answers one call. A refused request is an answer like any other; only what ends the program rejects. */
  answer(call: ProgramCall): Promise<CallAnswer> {
    const answering = this.#answer(call)
    this.#underWay.add(answering)
    const done = () => this.#underWay.delete(answering)
    answering.then(done, done)
    return answering
  }

  /** Refuses further calls and waits for the ones under way, at most `graceMs`. */
  async end(graceMs: number): Promise<void> {
    this.#ended = true
    if (this.#underWay.size === 0) return
    const { promise: graceIsOver, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, graceMs)
    await Promise.race([Promise.allSettled([...this.#underWay]), graceIsOver])
    clearTimeout(timer)
  }

  async #answer(call: ProgramCall): Promise<CallAnswer> {
    if (this.#ended) throw new ProgramEndedError()
    const request = this.#read(call)
    if (request instanceof ApiError) return this.#elsewhere(call, request)
    const record = this.journal.begin(request)
    const answer = await this.#run(request)
    noteAnswer(record, request, answer)
    this.pages.note(request, answer, call.listing)
    this.#warn(request, answer)
    this.#onCall?.(record)
    return { body: answer.body as Json, refused: answer.status >= 400, status: answer.status }
  }

  /** A call to another server is refused here; the journal holds it like every other call of the program. */
  #elsewhere({ method, path }: ProgramCall, error: ApiError): CallAnswer {
    const record = this.journal.begin({ method, path, query: {}, body: undefined })
    record.status = error.status
    record.error = error.message
    this.#onCall?.(record)
    return { body: error.body(this.#parts.docsUrl) as Json, refused: true, status: error.status }
  }

  #read(call: ProgramCall): ProgramRequest | ApiError {
    try {
      return toRequest(call, this.#parts.addresses)
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  /** The loss of the transaction ends the run, also when the operation made an answer of it. */
  async #run(request: ProgramRequest): Promise<OperationAnswer> {
    const asked = { ...request, caller: this.#caller, scope: this.#scope }
    const answer = await this.#parts.runOperation(asked).catch((error: unknown) => {
      if (error instanceof TransactionLostError) this.#scope.lose(error)
      throw this.#told(error, request)
    })
    if (this.#scope.loss !== null) throw this.#scope.loss
    return answer
  }

  /** What the program's author may know of an error that no operation should have thrown. */
  #told(error: unknown, { method, path }: ProgramRequest): unknown {
    if (error instanceof TransactionLostError || error instanceof ProgramEndedError) return error
    this.#parts.log.error({ err: error, method, path }, 'A call of a program failed')
    return new Error(`${method} ${path} failed through an unexpected error on our side.`)
  }

  #warn(request: ProgramRequest, answer: OperationAnswer): void {
    const { names } = this.#parts
    const sentences = answer.ignored.map((name) => names.ignored(request, name))
    if (answer.status === 400 || answer.status === 422) sentences.push(...names.misspelt(request))
    if (answer.operationId === null) sentences.push(`${request.method} ${request.path}: ${messageOf(answer.body)}`)
    for (const sentence of sentences) if (this.#warnings.size < KEPT_WARNINGS) this.#warnings.add(sentence)
  }
}
