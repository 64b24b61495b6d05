import type { Scope, Transaction } from './database.ts'

/** Returns a scope whose transactions are savepoints of an open transaction. */
export function within<Tables>(unit: Transaction<Tables>): Scope<Tables> {
  return { read: unit.db, transaction: (work) => unit.savepoint(() => work(unit)) }
}
