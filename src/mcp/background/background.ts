import type { Actor, Caller, SessionCaller, TokenCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Scope } from '../../database/database.ts'
import type { BatchBudget } from '../../pipeline/batch-budget.ts'
import type { ListReader } from '../../pipeline/list-reader.ts'
import { progressFor } from '../../records/background/progress.ts'
import { findBackground, isAtWork, resumeBackground, stopBackground } from '../../records/background/state.ts'
import { openValue } from '../../records/background/value.ts'
import type { Context } from '../../records/context.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import { notRunAnswer, type ToolAnswer } from '../answer.ts'
import type { ExecuteOptions } from '../endpoint/server.ts'
import { backgroundError } from '../program/run-error.ts'
import type { BackgroundCommand } from '../program/text.ts'

/** The services that batches use. */
export interface BatchParts {
  lists: ListReader
  /** Encrypts stored responses and the return values of blocks. */
  vault: Vault
}

/** The parts that only background programs use. */
export interface BackgroundParts extends BatchParts {
  inTransaction<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value>
  /** Returns the current rights of the actors that a batch runs for; null if one of them has lost access. */
  callerOf(absent: AbsentCaller): Promise<TokenCaller | SessionCaller | null>
  /** Returns the budget for one batch. */
  batchBudget(caller: Caller, paid: number, onEmpty: () => void): BatchBudget
  /** Called after a commit that has enqueued jobs. */
  wakeWorker(): void
}

interface AbsentCaller extends Actor {
  accountId: string
  limits: Actor[]
  approvers: Actor[]
}

/** Returns the stored response of a start: with the current progress for the caller that started it, as stored for others. */
export async function presentAnswer(
  parts: BackgroundParts,
  caller: Caller,
  { body, options }: { body: { [key: string]: Json }; options: ExecuteOptions },
): Promise<ToolAnswer> {
  const id = body.result instanceof Object && 'background' in body.result ? body.result.background : null
  const row = typeof id === 'string' && (await parts.inTransaction(caller, (context) => findBackground(context, id)))
  if (!row) return { body, isError: false }
  const result = progressFor(caller, openValue(parts.vault, row))
  const answer = { body: { ...body, changed: result.changed ?? {}, result }, isError: false }
  return options.waits && isAtWork(row) ? { ...answer, handle: row.id } : answer
}

/** Responds to `# status: bg_…`, `# stop:` and `# resume:`. */
export async function answerCommand(
  parts: BackgroundParts & { database: Scope<Tables> },
  caller: Caller,
  { verb, id }: BackgroundCommand,
): Promise<ToolAnswer> {
  try {
    const row = await parts.inTransaction(caller, async (context) => {
      const found = await findBackground(context, id)
      if (!found || verb === 'status') return found
      return verb === 'stop' ? stopBackground(context, found) : resumeBackground(context, found)
    })
    if (!row) return notRunAnswer(backgroundError(`No background program ${id.slice(0, 100)} belongs to this token.`))
    if (verb === 'resume') parts.wakeWorker()
    return { body: { result: { ...progressFor(caller, openValue(parts.vault, row)) } }, isError: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return notRunAnswer(backgroundError(error.message))
  }
}
