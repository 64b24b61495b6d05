import type { Scope } from '../database/database.ts'
import type { Vault } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { openAnswer, sealAnswer } from './kept-answers.ts'

/** Answers that one transaction seals. */
const STEP = 50

/** Seals the answers that earlier releases kept readable. They are replayed as before. */
export async function sealOldAnswers(database: Scope<Tables>, vault: Vault): Promise<void> {
  const again = (kept: string) => sealAnswer(vault, openAnswer(vault, kept))
  while ((await database.transaction(({ db }) => sealRequests(db, again), { patient: true })) === STEP);
  while ((await database.transaction(({ db }) => sealPrograms(db, again), { patient: true })) === STEP);
}

type Db = Scope<Tables>['read']

async function sealRequests(db: Db, again: (kept: string) => string): Promise<number> {
  const rows = await db.selectFrom('idempotency_keys').selectAll().where('body', 'like', '{%').limit(STEP).execute()
  for (const { account_id, user_id, idempotency_key, body } of rows)
    await db
      .updateTable('idempotency_keys')
      .set({ body: again(body!) })
      .where('account_id', '=', account_id)
      .where('user_id', '=', user_id)
      .where('idempotency_key', '=', idempotency_key)
      .execute()
  return rows.length
}

async function sealPrograms(db: Db, again: (kept: string) => string): Promise<number> {
  const rows = await db.selectFrom('program_results').selectAll().where('answer', 'like', '{%').limit(STEP).execute()
  for (const { account_id, once_key, answer } of rows)
    await db
      .updateTable('program_results')
      .set({ answer: again(answer) })
      .where('account_id', '=', account_id)
      .where('once_key', '=', once_key)
      .execute()
  return rows.length
}
