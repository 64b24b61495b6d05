import type { Scope, Transaction } from './database.ts'

/** Returns a scope in which each transaction is a savepoint of an open one. */
export function within<Tables>(unit: Transaction<Tables>): Scope<Tables> {
  return { read: unit.db, transaction: (work) => unit.savepoint(() => work(unit)) }
}
