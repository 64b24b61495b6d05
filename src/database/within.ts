import type { Scope, Unit } from './database.ts'

/** An open transaction as a place for further ones. */
export function within<Tables>(unit: Unit<Tables>): Scope<Tables> {
  return { read: unit.db, transaction: (work) => unit.savepoint(() => work(unit)) }
}
