import { ApiError } from '../contract/declarations/errors.ts'
import { type Database, type Scope, StorageError, type TransactionOptions } from '../database/database.ts'
import type { Vault } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { only } from '../runtime/errors.ts'
import type { Applier, ParsedRequest, RuleResult } from './apply.ts'
import { AbandonedClaims, IdempotentRequest } from './idempotency.ts'
import { AWAIT_MS, type JobBoard } from './job-board.ts'
import { requireMayReachOutside } from './permit.ts'
import type { OperationAnswer, OperationRequest } from './request.ts'
import { hasPostCommitWork, NO_POST_COMMIT_WORK } from './side-effects.ts'
import { transact } from './transact.ts'

interface WriteParts {
  database: Database<Tables>
  jobs: JobBoard
  vault: Vault
  bodyOf(refusal: ApiError): Record<string, unknown>
}

/** The last stage of a request that changes something: its transaction, its `Idempotency-Key` and what follows the commit. */
export class WriteStage {
  readonly #applier: Applier
  readonly #parts: WriteParts
  readonly #abandoned = new AbandonedClaims()

  constructor(applier: Applier, parts: WriteParts) {
    this.#applier = applier
    this.#parts = parts
  }

  /** Runs an operation with external effects. It has no transaction around it, and its writes are committed separately. */
  async outside(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    requireMayReachOutside(work.request)
    const key = work.request.idempotencyKey
    const { database } = this.#parts
    if (key === undefined) return this.#applier.applyOutside(work, database)
    const idempotent = this.#idempotent(work.request, key)
    return this.#unlessReplayed(idempotent, database, answer, async () => {
      const applied = await this.#applier.applyOutside(work, database).catch((error) => this.#refused(error))
      await database.transaction(({ db }) => idempotent.store(db, applied))
      return applied
    })
  }

  #idempotent(request: OperationRequest, key: string): IdempotentRequest {
    return new IdempotentRequest(request, key, { abandoned: this.#abandoned, vault: this.#parts.vault })
  }

  /** Runs an operation in a transaction, and starts the jobs that follow its commit. */
  async write(work: ParsedRequest, answer: OperationAnswer): Promise<RuleResult> {
    const scope = work.request.scope ?? this.#parts.database
    const key = work.request.idempotencyKey
    if (key === undefined) {
      const read = await this.#applier.read(work, scope.read)
      const applied = await transact(scope, optionsOf(work), (unit) => this.#applier.apply(read, unit.db))
      return this.#afterCommit(work, applied)
    }
    const idempotent = this.#idempotent(work.request, key)
    return this.#unlessReplayed(idempotent, scope, answer, () => this.#writeOnce(work, scope, idempotent))
  }

  /** Returns the stored response of the first request with the key, if there is one. Otherwise runs `work`, which stores its response. */
  async #unlessReplayed(
    idempotent: IdempotentRequest,
    scope: Scope<Tables>,
    answer: OperationAnswer,
    work: () => Promise<RuleResult>,
  ): Promise<RuleResult> {
    const replayed = await idempotent.claim(scope, new Date())
    if (replayed) {
      answer.headers['Idempotent-Replayed'] = 'true'
      return { ...NO_EFFECT, ...replayed }
    }
    return work().catch(async (error: unknown) => {
      await idempotent.release(scope)
      throw error
    })
  }

  async #writeOnce(work: ParsedRequest, scope: Scope<Tables>, idempotent: IdempotentRequest): Promise<RuleResult> {
    const written = await this.#applyAndStore(work, scope, idempotent)
    const settled = await this.#afterCommit(work, written)
    // If the disk is full, a replay shows the response as it was when the transaction was committed.
    if (settled !== written)
      await scope.transaction(({ db }) => idempotent.store(db, settled)).catch(ignoreStorageError)
    return settled
  }

  /** Commits the changes and the response in one transaction. The response of a refused request is stored, too, without changes. */
  async #applyAndStore(work: ParsedRequest, scope: Scope<Tables>, idempotent: IdempotentRequest): Promise<RuleResult> {
    const read = await this.#applier.read(work, scope.read).catch(refusalOnly)
    return transact(scope, optionsOf(work), async (unit) => {
      const applied = await unit
        .savepoint(async () => this.#applier.apply(orThrow(read), unit.db))
        .catch((error: unknown) => this.#refused(error))
      await idempotent.store(unit.db, applied)
      return applied
    })
  }

  /** Turns a refusal into a result without changes. A 5xx is thrown instead, because it is not stored. */
  #refused(error: unknown): RuleResult {
    const refusal = refusalOnly(error)
    if (refusal.status >= 500) throw refusal
    return { ...NO_EFFECT, status: refusal.status, body: this.#parts.bodyOf(refusal) }
  }

  /** Starts the jobs of a commit and waits for those whose results the response shows. After a timeout, they are shown as pending. */
  async #afterCommit(work: ParsedRequest, applied: RuleResult): Promise<RuleResult> {
    const { jobs, database } = this.#parts
    // The jobs of a program start when the program commits, so the responses to its calls show them as pending.
    if (work.request.scope || !hasPostCommitWork(applied.left)) return applied
    jobs.wake(applied.left)
    if (applied.awaited.length === 0) return applied
    await jobs.wait(applied.awaited, AWAIT_MS)
    const body = await this.#applier.reread(work, database.read, String(applied.body.id))
    return body ? { ...applied, body } : applied
  }
}

function optionsOf({ request, route }: ParsedRequest): TransactionOptions {
  return { account: request.caller.accountId, inTurn: route.operation.inTurn }
}

const ignoreStorageError = only(StorageError, () => {})
const refusalOnly = only(ApiError, (refusal) => refusal)

function orThrow<Value>(found: Value | ApiError): Value {
  if (found instanceof ApiError) throw found
  return found
}

const NO_EFFECT: Pick<RuleResult, 'ignored' | 'changes' | 'awaited' | 'left'> = {
  ignored: [],
  changes: [],
  awaited: [],
  left: NO_POST_COMMIT_WORK,
}
