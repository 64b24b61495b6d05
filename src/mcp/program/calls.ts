import type { Caller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import type { FindNoun } from '../../contract/documents/schemas.ts'
import { newId } from '../../contract/values/ids.ts'
import { TransactionLostError } from '../../database/database.ts'
import type { CallBudget, OperationAnswer, OperationRequest } from '../../pipeline/request.ts'
import type { PostCommitWork } from '../../pipeline/side-effects.ts'
import type { Tables } from '../../resources/tables.ts'
import type { CallAnswer, Json, ProgramCall } from '../../sandbox/api.ts'
import type { Addresses } from '../endpoint/addresses.ts'
import type { BatchWork } from './batch-work.ts'
import { ProgramChanges } from './changes.ts'
import { type CallRecord, Journal, messageOf } from './journal.ts'
import type { OutsideMemory } from './outside-memory.ts'
import { PageWatch } from './page-watch.ts'
import type { ParameterNames } from './parameter-names.ts'
import { type ProgramRequest, toRequest } from './request-path.ts'
import type { OverlookedWrite } from './run-error.ts'
import { ProgramEndedError, type ProgramScope } from './scope.ts'
import { StrangerTexts } from './stranger-texts.ts'

export interface CallParts {
  runOperation(request: OperationRequest): Promise<OperationAnswer>
  names: ParameterNames
  findNoun: FindNoun
  addresses: Addresses
  docsUrl: string
  log: Log
}

export interface Log {
  error(details: object, message: string): void
}

/** Called after each API call to report progress. `number` counts the program's calls and starts at 1 again with each run. */
export type CallListener = (call: CallRecord, number: number) => void

const KEPT_WARNINGS = 10

export interface CallContext {
  caller: Caller
  scope: ProgramScope<Tables>
  outside: OutsideMemory
  /** Whether the program is a dry run, so that its changes are always rolled back. */
  proposed: boolean
  onCall?: CallListener | undefined
  /** The rate limit that the program's calls count against; without it, each call counts as one request. */
  budget?: CallBudget | undefined
  /** The batch that `each_batch` processes, if the program is a background program. */
  batch?: BatchWork | undefined
  /** The id of the HTTP request that contains the program; its calls are logged with this id. */
  requestId?: string | undefined
}

/** The changes that calls make, and the work to start after their commit. */
export interface CallEffects {
  readonly changes: ProgramChanges
  readonly left: PostCommitWork
}

type CallResponse = Pick<OperationAnswer, 'status' | 'body' | 'operation'>

export class ProgramCalls {
  readonly journal = new Journal()
  readonly pages = new PageWatch()
  readonly strangerTexts: StrangerTexts
  readonly changes = new ProgramChanges()
  /** The ids that this run makes are later. */
  readonly startId = newId('run')
  readonly #parts: CallParts
  readonly #place: CallContext
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #warnings = new Set<string>()
  /** Refused writes by the ordinal numbers of their calls. */
  readonly #refusedWrites = new Map<number, OverlookedWrite>()
  /** The write operations that succeeded, by method and path as in the catalogue. */
  readonly writes = new Set<string>()
  readonly needs = new Set<RoleRight>()
  batchTaken = false
  #ordinal = 0
  #ended = false
  /** The caller during a rehearsal, which runs a task's program within a dry run; null outside of a rehearsal. */
  #acting: Caller | null = null
  /** The effects of rehearsed tasks, which no plan contains; null if the program has rehearsed none. */
  rehearsed: CallEffects | null = null
  /** The jobs and webhook deliveries to start after the commit. */
  readonly left: PostCommitWork = { jobs: [], deliveries: 0 }

  constructor(parts: CallParts, place: CallContext) {
    this.#parts = parts
    this.#place = place
    this.strangerTexts = new StrangerTexts(parts.findNoun)
  }

  get warnings(): string[] {
    return [...this.#warnings]
  }

  /** Makes all calls until `endRehearsal` as the caller `acting`, as if the program of the rehearsed task made them. */
  rehearse(acting: Caller): void {
    this.#acting = acting
    this.rehearsed ??= { changes: new ProgramChanges(), left: { jobs: [], deliveries: 0 } }
  }

  endRehearsal(): void {
    this.#acting = null
  }

  get rehearses(): boolean {
    return this.#acting !== null
  }

  refusedWrite(ordinals: number[]): OverlookedWrite | undefined {
    return ordinals.map((ordinal) => this.#refusedWrites.get(ordinal)).find((write) => write !== undefined)
  }

  /** Handles one call. The promise rejects only if the program must end; a refusal is an ordinary response. */
  answer(call: ProgramCall): Promise<CallAnswer> {
    const answering = this.#answer(call)
    this.#underWay.add(answering)
    const done = () => this.#underWay.delete(answering)
    answering.then(done, done)
    return answering
  }

  /** Refuses further calls, and waits up to `graceMs` for calls in progress. */
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
    const ordinal = this.#ordinal++
    const request = this.#read(call)
    const refusedHere = request instanceof ApiError
    const record = this.journal.begin(refusedHere ? call : request)
    const answer = refusedHere ? this.#refuseLocally(request) : await this.#answered(request, call)
    this.journal.end(record, answer)
    this.strangerTexts.note(answer.body)
    if (answer.status >= 400 && call.method !== 'GET') this.#refusedWrites.set(ordinal, overlooked(call, answer))
    this.#place.onCall?.(record, this.journal.count)
    return { body: answer.body as Json, refused: answer.status >= 400, status: answer.status }
  }

  async #answered(request: ProgramRequest, { listing, batch }: ProgramCall): Promise<CallResponse> {
    if (batch !== undefined) return this.#batch(request, batch)
    if (this.#place.batch && !this.batchTaken) return this.#refuseLocally(outsideOfBlock())
    const answer = await this.#run(request)
    this.#note(request, answer, listing)
    return answer
  }

  async #batch(request: ProgramRequest, most: number): Promise<CallResponse> {
    const { batch, caller, scope, budget } = this.#place
    if (!batch) return this.#refuseLocally(notInBackground())
    if (this.batchTaken) return this.#refuseLocally(onlyOne())
    this.batchTaken = true
    try {
      const rows = await batch.rows({ path: request.path, query: request.query, caller, scope }, most, budget)
      return { status: 200, body: { data: rows }, operation: `GET ${request.path}` }
    } catch (error) {
      if (error instanceof ApiError) return this.#refuseLocally(error)
      if (error instanceof TransactionLostError) scope.lose(error)
      throw this.#publicError(error, request)
    }
  }

  #note(request: ProgramRequest, answer: OperationAnswer, listing: boolean): void {
    const { changes, left } = (this.rehearses && this.rehearsed) || this
    if (!this.rehearses) this.#noteRights(request, answer)
    this.pages.note(request, answer, listing)
    changes.add(answer.changes)
    left.jobs.push(...answer.left.jobs)
    left.deliveries += answer.left.deliveries
    this.#warn(request, answer)
  }

  #noteRights({ method }: ProgramRequest, { status, needs, operation }: OperationAnswer): void {
    if (status >= 400) return
    if (needs !== null) this.needs.add(needs)
    if (method !== 'GET' && operation) this.writes.add(operation)
  }

  /** Returns a refusal for a call that does not reach any operation. */
  #refuseLocally(error: ApiError): CallResponse {
    return { status: error.status, body: error.body(this.#parts.docsUrl), operation: null }
  }

  #read(call: ProgramCall): ProgramRequest | ApiError {
    try {
      return toRequest(call, this.#parts.addresses)
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }

  /** Runs the operation of a call. A lost transaction ends the run even if the operation returned an error response. */
  async #run(request: ProgramRequest): Promise<OperationAnswer> {
    const { scope, outside, proposed, requestId, budget, batch } = this.#place
    const caller = this.#acting ?? this.#place.caller
    const known = outside.recall(request)
    if (known) return known
    const { helper, aggregate, ...common } = request
    const program = { helper, aggregate, proposed, batch: batch !== undefined, budget }
    const asked = { ...common, caller, scope, program, ...(requestId && { requestId }) }
    const answer = await this.#parts.runOperation(asked).catch((error: unknown) => {
      if (error instanceof TransactionLostError) scope.lose(error)
      throw this.#publicError(error, request)
    })
    if (scope.loss !== null) throw scope.loss
    if (answer.outside && answer.status < 400) outside.keep(request, answer)
    return answer
  }

  /** Logs an unexpected error and returns an error with a message that is safe to show to the program's author. */
  #publicError(error: unknown, { method, path }: ProgramRequest): unknown {
    if (error instanceof TransactionLostError || error instanceof ProgramEndedError) return error
    const { requestId } = this.#place
    this.#parts.log.error({ err: error, requestId, method }, 'A call of a program failed')
    return new Error(`${method} ${path} failed because of an unexpected error on our side.`)
  }

  #warn(request: ProgramRequest, answer: OperationAnswer): void {
    const { names } = this.#parts
    const sentences = answer.ignored.map((name) => names.ignored(request, name))
    if (answer.status === 400 || answer.status === 422) sentences.push(...names.misspelt(request))
    if (answer.operationId === null) sentences.push(`${request.method} ${request.path}: ${messageOf(answer.body)}`)
    for (const sentence of sentences) if (this.#warnings.size < KEPT_WARNINGS) this.#warnings.add(sentence)
  }
}

function notInBackground(): ApiError {
  return new ApiError('invalid_state', 'each_batch needs `# background: true` as the first line of the program.')
}

function onlyOne(): ApiError {
  return new ApiError('invalid_state', 'A background program has only one each_batch.')
}

function outsideOfBlock(): ApiError {
  return new ApiError('invalid_state', 'In a background program, all calls belong in the block of each_batch.')
}

function overlooked({ method, path, line }: ProgramCall, { body }: Pick<OperationAnswer, 'body'>): OverlookedWrite {
  return { method, path: path.slice(0, 300), message: messageOf(body), line, source: null }
}
