import type { Actor, Caller, SessionCaller, TokenCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { Scope } from '../../database/database.ts'
import type { BatchBudget } from '../../pipeline/batch-budget.ts'
import type { ListReader } from '../../pipeline/list-reader.ts'
import { progressFor } from '../../records/background/progress.ts'
import { findBackground, isAtWork, resumeBackground, stopBackground } from '../../records/background/state.ts'
import { openValues } from '../../records/background/value.ts'
import type { Context } from '../../records/context.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import { notRunAnswer, type ToolAnswer } from '../answer.ts'
import type { ExecuteOptions } from '../endpoint/server.ts'
import { backgroundError } from '../program/run-error.ts'
import type { BackgroundCommand } from '../program/text.ts'

export interface BatchParts {
  lists: ListReader
  /** Encrypts stored responses and the return values of `each_batch` blocks. */
  vault: Vault
}

export interface BackgroundParts extends BatchParts {
  inTransaction<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value>
  /** Returns the caller for a batch, with the current rights of everyone involved; null if one of them has lost access. */
  callerOf(absent: AbsentCaller): Promise<TokenCaller | SessionCaller | null>
  /** Returns the rate limit of a batch. `paid` is the number of calls that an earlier attempt was already charged for. */
  batchBudget(caller: Caller, paid: number, onEmpty: () => void): BatchBudget
  wakeWorker(): void
}

interface AbsentCaller extends Actor {
  accountId: string
  limits: Actor[]
  approvers: Actor[]
}

/** Returns the stored response to the start of a background program, with its current progress if the caller started it. */
export async function presentAnswer(
  parts: BackgroundParts,
  caller: Caller,
  { body, options }: { body: { [key: string]: Json }; options: ExecuteOptions },
): Promise<ToolAnswer> {
  const id = body.result instanceof Object && 'background' in body.result ? body.result.background : null
  const row = typeof id === 'string' && (await parts.inTransaction(caller, (context) => findBackground(context, id)))
  if (!row) return { body, isError: false }
  const result = progressFor(caller, openValues(parts.vault, row))
  const answer = { body: { ...body, changed: result.changed ?? {}, result }, isError: false }
  return options.waits && isAtWork(row) ? { ...answer, handle: row.id } : answer
}

/** Responds to the commands `# status: bg_…`, `# stop: bg_…` and `# resume: bg_…`. */
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
    return { body: { result: { ...progressFor(caller, openValues(parts.vault, row)) } }, isError: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return notRunAnswer(backgroundError(error.message))
  }
}
