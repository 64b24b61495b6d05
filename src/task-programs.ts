import { findCaller } from './access/find-caller.ts'
import type { Database } from './database/database.ts'
import type { Mcp } from './mcp/mcp.ts'
import { confirmRun } from './pipeline/run-confirmation.ts'
import type { Tables } from './resources/tables.ts'
import type { RunProgram } from './tasks/ruby.ts'

/** Runs the programs of tasks, with the rights that all who are named in an assignment have at that moment. */
export function taskPrograms(database: Database<Tables>, execute: Mcp['execute']): RunProgram {
  return async ({ owner, origin, jobId, approvers }, code, options) => {
    const caller = await findCaller(database, { ...owner, approvers })
    const run = { accountId: owner.accountId, run: origin.run, jobId }
    return (
      caller &&
      execute({ ...caller, origin }, code, { ...options, confirm: (unit, kept) => confirmRun(unit, run, kept) })
    )
  }
}
