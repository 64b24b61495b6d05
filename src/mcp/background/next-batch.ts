import type { Caller } from '../../contract/declarations/caller.ts'
import { decidersOf } from '../../contract/declarations/rights.ts'
import type { Transaction } from '../../database/database.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import { afterBatch, keepBatch } from '../../records/background/keep.ts'
import { progressOf } from '../../records/background/progress.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import { keepIdsUntil, readIds } from '../../records/background/rows.ts'
import { enqueueBatch, isAtWork, requireTurn } from '../../records/background/state.ts'
import { openValues, sealValues } from '../../records/background/value.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import type { BatchWork, EndedBatch } from '../program/batch-work.ts'
import { RecordRefused } from '../program/ending.ts'
import { canceledError, otherOperationsError } from '../program/run-error.ts'
import type { BatchParts } from './background.ts'
import { asRefused, doneBatch, payForRows } from './summary.ts'

/** A later batch of a background program. Its rows come from the list that the first batch fixed. */
export class NextBatch implements BatchWork {
  /** The operations that this batch called without approval. If there are any, the batch is rolled back. */
  unapproved: string[] = []
  readonly #parts: BatchParts
  readonly #row: BackgroundRow
  #rows = 0
  #leftOut = 0
  #after: BackgroundRow

  constructor(parts: BatchParts, row: BackgroundRow) {
    this.#parts = parts
    this.#row = openValues(parts.vault, row)
    this.#after = this.#row
  }

  async rows(
    { caller, scope }: ListRequest,
    _: number,
    budget: CallBudget | undefined,
  ): Promise<Record<string, unknown>[]> {
    const { account_id, id, place, batch_size, list } = this.#row
    const ids = await readIds({ db: scope.read, accountId: account_id }, id, place, batch_size)
    const { path, query }: Pick<ListRequest, 'path' | 'query'> = JSON.parse(list)
    const rows = await this.#parts.lists.rows({ path, query, caller, scope }, ids)
    this.#rows = ids.length
    this.#leftOut = ids.length - rows.length
    await payForRows(budget, rows.length)
    return rows
  }

  get id(): string {
    return this.#after.id
  }

  get goesOn(): string | null {
    return isAtWork(this.#after) ? this.#after.id : null
  }

  ended(run: EndedBatch): Json {
    const approved: string[] | null = JSON.parse(this.#row.operations ?? 'null')
    this.unapproved = approved ? [...run.calls.writes].filter((operation) => !approved.includes(operation)) : []
    this.#after = afterBatch(this.#row, doneBatch(run, this.#rows, this.#leftOut))
    return { ...progressOf(this.#after) }
  }

  async record(unit: Transaction<Tables>): Promise<void> {
    await this.keep(unit, this.#after)
  }

  protected async keep({ db }: Pick<Transaction<Tables>, 'db'>, after: BackgroundRow): Promise<void> {
    if (this.unapproved.length > 0) throw new RecordRefused(otherOperationsError(this.unapproved))
    const sealed = sealValues(this.#parts.vault, after)
    if (!(await keepBatch({ db, accountId: this.#row.account_id }, this.#row, sealed)))
      throw new RecordRefused(canceledError())
  }
}

/** The first batch of a background program with an approved plan. It runs when the plan is applied. */
export class ApprovedBatch extends NextBatch {
  readonly #approver: Caller

  constructor(parts: BatchParts, row: BackgroundRow, approver: Caller) {
    super(parts, row)
    this.#approver = approver
  }

  protected override async keep({ db }: Pick<Transaction<Tables>, 'db'>, after: BackgroundRow): Promise<void> {
    const account = { db, accountId: after.account_id }
    const goesOn = isAtWork(after)
    if (goesOn) await requireTurn(account, after, this.#approver).catch(asRefused)
    const job = goesOn ? await enqueueBatch(account, after) : null
    await super.keep({ db }, { ...after, job, approvers: JSON.stringify(decidersOf(this.#approver)) })
    if (goesOn) await keepIdsUntil(account, after.id, null)
  }
}
