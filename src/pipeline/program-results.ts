import { createHash } from 'node:crypto'
import { insertOne } from '../database/compile-once.ts'
import type { Scope, Unit } from '../database/database.ts'
import type { ProgramResultRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

/** How long a program that may happen once answers again with its stored answer. */
export const RESULT_KEPT_MS = 24 * 60 * 60 * 1000

/** Identifies a program under a key. */
export function fingerprintOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** The stored answer of a key, or undefined when there is none that still counts. */
export async function findResult(
  { read }: Pick<Scope<Tables>, 'read'>,
  accountId: string,
  key: string,
): Promise<ProgramResultRow | undefined> {
  const results = read.selectFrom('program_results').selectAll().where('account_id', '=', accountId)
  return results.where('once_key', '=', key).where('committed_at', '>', oldest()).executeTakeFirst()
}

/** Keeps the answer in the transaction of the program's effects. False when another run has done so first. */
export async function storeResult({ db }: Pick<Unit<Tables>, 'db'>, row: ProgramResultRow): Promise<boolean> {
  if (await findResult({ read: db }, row.account_id, row.once_key)) return false
  const expired = db.deleteFrom('program_results').where('account_id', '=', row.account_id)
  await expired.where('once_key', '=', row.once_key).execute()
  await insertOne(db, 'program_results', { ...row })
  return true
}

function oldest(): string {
  return new Date(Date.now() - RESULT_KEPT_MS).toISOString()
}
