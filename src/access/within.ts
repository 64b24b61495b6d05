import type { Scope, Unit } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** An open transaction as a place for further ones. */
export function within(unit: Unit<Tables>): Scope<Tables> {
  return { read: unit.db, transaction: (work) => unit.savepoint(() => work(unit)) }
}
