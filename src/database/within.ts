import type { Scope, Transaction } from './database.ts'

/** An open transaction as a place for further ones. */
export function within<Tables>(unit: Transaction<Tables>): Scope<Tables> {
  return { read: unit.db, transaction: (work) => unit.savepoint(() => work(unit)) }
}
