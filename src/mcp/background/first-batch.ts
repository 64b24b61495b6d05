import { type Caller, callerId, isUser } from '../../contract/declarations/caller.ts'
import { withoutImplied } from '../../contract/declarations/rights.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import { newId } from '../../contract/values/ids.ts'
import { currentTimestamp } from '../../contract/values/values.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { keptRights } from '../../pipeline/kept-answers.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { ProgramPlanRow } from '../../pipeline/program-plans.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import { afterBatch, beginBackground, storePlanned } from '../../records/background/keep.ts'
import { NO_VALUES, progressOf } from '../../records/background/progress.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import { isAtWork, NO_ERROR, requireTurn } from '../../records/background/state.ts'
import { sealValues } from '../../records/background/value.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import type { BatchWork, EndedBatch } from '../program/batch-work.ts'
import type { ProgramText } from '../program/text.ts'
import type { BatchParts } from './background.ts'
import { RowChoice } from './row-choice.ts'
import { asRefused, doneBatch, keptList, payForRows } from './summary.ts'

/** The number of ids that cost as much as one call. Ids are cheap to read. */
const IDS_OF_A_CALL = 1_000

/** The first batch of a new background program. It fixes the list of rows that all batches process. */
export class FirstBatch implements BatchWork {
  readonly #parts: BatchParts
  readonly #choice: RowChoice
  readonly #caller: Caller
  readonly #program: ProgramText
  #ids: string[] = []
  #leftOut = 0
  #list = ''
  #size = 1
  #before: BackgroundRow
  #after: BackgroundRow

  constructor(parts: BatchParts, caller: Caller, program: ProgramText) {
    this.#parts = parts
    this.#choice = new RowChoice(parts.lists)
    this.#caller = caller
    this.#program = program
    this.#before = this.#row()
    this.#after = this.#before
  }

  get needs(): RoleRight[] {
    return this.#choice.needs
  }

  choose(database: Database<Tables>, signal?: AbortSignal): Promise<boolean> {
    return this.#choice.choose(database, signal)
  }

  async rows(asked: ListRequest, most: number, budget: CallBudget | undefined): Promise<Record<string, unknown>[]> {
    await budget?.take()
    const { list, ids } = this.#choice.take(asked)
    this.#ids = ids
    this.#size = most
    this.#list = keptList(list)
    for (let paid = IDS_OF_A_CALL; paid < ids.length; paid += IDS_OF_A_CALL) await budget?.take()
    const first = ids.slice(0, most)
    const rows = await this.#parts.lists.rows(list, first)
    this.#leftOut = first.length - rows.length
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
    const rows = Math.min(this.#size, this.#ids.length)
    const operations = JSON.stringify([...run.calls.writes])
    this.#before = { ...this.#row(), operations }
    const after = afterBatch(this.#before, doneBatch(run, rows, this.#leftOut))
    this.#after = rows === 0 ? { ...after, batches_count: 0, ...NO_VALUES } : after
    return this.#program.dryRun ? this.#planned(after) : { ...progressOf(this.#after) }
  }

  async record({ db }: Transaction<Tables>): Promise<void> {
    const account = { db, accountId: this.#caller.accountId }
    if (this.#after.state !== 'done') await requireTurn(account, this.#after, this.#caller).catch(asRefused)
    // Later batches may call any operation, because no one reviewed the operations of the first batch.
    const row = sealValues(this.#parts.vault, { ...this.#after, operations: null })
    await beginBackground(account, row, this.#ids)
  }

  /** Stores the rows with the plan, so that applying the plan later processes the same rows. */
  async recordPlanned({ db }: Transaction<Tables>, plan: ProgramPlanRow): Promise<void> {
    const { id, expires_at } = plan
    const whose = plan.replaces === null ? {} : ownerOf(plan)
    const row: BackgroundRow = { ...this.#before, ...whose, state: 'waiting_for_approval', plan: id, expires_at }
    await storePlanned({ db, accountId: this.#caller.accountId }, row, this.#ids)
  }

  #planned({ last_value }: BackgroundRow): Json {
    const rows = this.#ids.length
    const value = JSON.parse(last_value ?? 'null')
    return { rows, batches: Math.ceil(rows / this.#size), changes_are_of: 'the first batch', last_value: value }
  }

  #row(): BackgroundRow {
    const caller = this.#caller
    const now = currentTimestamp()
    const limits = isUser(caller) ? withoutImplied(caller.limits ?? []) : []
    return {
      account_id: caller.accountId,
      id: newId('bg'),
      state: 'queued',
      code: this.#program.code,
      caller_kind: caller.kind,
      caller_id: callerId(caller),
      user_id: isUser(caller) ? caller.userId : '',
      // The token of a command-line call is deleted when the command ends, so only the user is stored.
      token_id: caller.kind === 'token' && !caller.unlimited ? caller.tokenId : null,
      limits: JSON.stringify(limits),
      approvers: '[]',
      rights: keptRights(caller),
      task_run: caller.origin?.run ?? null,
      origin: caller.origin ? JSON.stringify(caller.origin) : null,
      plan: null,
      list: this.#list,
      batch_size: this.#size,
      rows_count: this.#ids.length,
      operations: null,
      ...INITIAL_PROGRESS,
      created_at: now,
      updated_at: now,
    }
  }
}

/** Returns the owner of a plan. A plan that replaces another one keeps its owner, even if someone else made the new plan. */
function ownerOf({ caller_kind, caller_id, user_id, planner_token, limits }: ProgramPlanRow): Partial<BackgroundRow> {
  return { caller_kind, caller_id, user_id, token_id: planner_token, limits }
}

const INITIAL_PROGRESS = {
  place: 0,
  left_out_count: 0,
  batches_count: 0,
  calls_paid: 0,
  changes: '{}',
  last_value: null,
  value_sum: null,
  value_sums: null,
  asked_operations: null,
  ...NO_ERROR,
  first_end: null,
  job: null,
  next_at: null,
  started_at: null,
  finished_at: null,
  expires_at: null,
}
