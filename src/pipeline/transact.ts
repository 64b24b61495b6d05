import { ConflictError, type Scope, type Transaction, type TransactionOptions } from '../database/database.ts'
import { isUniqueViolation } from '../database/unique.ts'
import type { Tables } from '../resources/tables.ts'

/** Treats a unique key that another transaction has just inserted as a conflict: on the retry, `work` finds the row and reports it. */
export function transact<Answer>(
  scope: Scope<Tables>,
  options: TransactionOptions,
  work: (unit: Transaction<Tables>) => Promise<Answer>,
): Promise<Answer> {
  const tellingConflicts = async (unit: Transaction<Tables>) => {
    try {
      const answer = await work(unit)
      if (!unit.settlesAtEnd) await unit.settled()
      return answer
    } catch (error) {
      throw asConflict(error)
    }
  }
  return scope.transaction(tellingConflicts, { ...options, explain: asConflict })
}

function asConflict(error: unknown): unknown {
  return isUniqueViolation(error)
    ? new ConflictError('Another transaction took the same unique value', { cause: error })
    : error
}
