import type { Caller } from '../contract/declarations/caller.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { JobBoard } from './job-board.ts'
import type { OperationAnswer, OperationRequest, OperationScope } from './request.ts'
import { transact } from './transact.ts'

/** Thrown to roll back all operations of the transaction, with the response of the operation that was refused. */
export class RefusedTogether extends Error {
  readonly answer: OperationAnswer

  constructor(answer: OperationAnswer) {
    super('An operation refused, so nothing of what was asked together is kept.')
    this.answer = answer
  }
}

export type CallTogether = (request: Omit<OperationRequest, 'caller' | 'scope'>) => Promise<OperationAnswer>

/**
 * Runs `work` in one transaction of the caller's account. If `work` throws any error, such as RefusedTogether, all of its operations are
 * rolled back. After a conflict with another transaction, `work` runs again. Jobs start after the commit.
 */
export async function together<Result>(
  { database, jobs }: { database: Database<Tables>; jobs: JobBoard },
  caller: Caller,
  work: (ask: CallTogether) => Promise<Result>,
  run: (request: OperationRequest) => Promise<OperationAnswer>,
): Promise<Result> {
  const result = await transact(database, { account: caller.accountId, inTurn: true }, (unit) => {
    const scope = scopeOf(unit)
    return work((request) => run({ ...request, caller, scope }))
  })
  jobs.wake()
  return result
}

function scopeOf(unit: Transaction<Tables>): OperationScope {
  // The transaction holds the writer lock, so its operations may not do external I/O.
  return { read: unit.db, transaction: (part) => unit.savepoint(() => part(unit)), holdsWrites: true }
}
