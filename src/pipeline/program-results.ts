import { createHash } from 'node:crypto'
import { insertOne } from '../database/compile-once.ts'
import type { Scope, Transaction } from '../database/database.ts'
import type { ProgramResultRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'

/** How long the stored response of a program with `# once:` is returned. */
export const RESULT_KEPT_MS = 24 * 60 * 60 * 1000

/** The key of a program with `# once:`, which belongs to a user of an account. */
export interface ResultKey {
  accountId: string
  owner: string
  key: string
}

export function fingerprintOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

/** Returns the stored response, or undefined if it has expired. Responses of earlier releases are valid for all users. */
export async function findResult(
  { read }: Pick<Scope<Tables>, 'read'>,
  key: ResultKey,
): Promise<ProgramResultRow | undefined> {
  const results = read.selectFrom('program_results').selectAll().where('account_id', '=', key.accountId)
  const counting = results.where('once_key', 'in', [storedKey(key), key.key]).where('committed_at', '>', oldest())
  const found = await counting.execute()
  return found.find(({ once_key }) => once_key !== key.key) ?? found[0]
}

/** Stores the response in the transaction of the program's changes. Returns false if another run has stored one first. */
export async function storeResult(
  { db }: Pick<Transaction<Tables>, 'db'>,
  key: ResultKey,
  result: Pick<ProgramResultRow, 'fingerprint' | 'answer' | 'rights'>,
): Promise<boolean> {
  if (await findResult({ read: db }, key)) return false
  const row = { account_id: key.accountId, once_key: storedKey(key), ...result, committed_at: new Date().toISOString() }
  const expired = db.deleteFrom('program_results').where('account_id', '=', row.account_id)
  await expired.where('once_key', '=', row.once_key).execute()
  await insertOne(db, 'program_results', row)
  return true
}

/** Returns the key with its owner. A key contains no blanks, so the separator is unambiguous. */
function storedKey({ owner, key }: ResultKey): string {
  return `${owner} ${key}`
}

function oldest(): string {
  return new Date(Date.now() - RESULT_KEPT_MS).toISOString()
}
