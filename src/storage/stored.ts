import { type Kysely, sql } from 'kysely'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { TableUse } from './measure.ts'

/** What an account took when it was last measured, by any process. */
export interface Measured {
  bytes: number
  /** ISO 8601, UTC. */
  at: string
}

/** Marks that an account was measured, also where it has no rows at all. */
const WHOLE = ''

/** Keeps a measurement in place of the one before, unless the account is gone or being deleted. */
export async function storeMeasured(
  database: Scope<Tables>,
  accountId: string,
  uses: TableUse[],
  measured_at: string,
): Promise<void> {
  await database.transaction(
    async ({ db }) => {
      await db.deleteFrom('storage_usage').where('account_id', '=', accountId).execute()
      const account = db
        .selectFrom('accounts')
        .select('id')
        .where('account_id', '=', accountId)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('account_deletions').select('id').where('id', '=', accountId))),
        )
      if (!(await account.executeTakeFirst())) return
      const row = ({ name, bytes, rows }: TableUse) => ({
        account_id: accountId,
        table_name: name,
        bytes,
        row_count: rows,
        measured_at,
      })
      await db
        .insertInto('storage_usage')
        .values([row({ name: WHOLE, bytes: 0, rows: 0 }), ...uses.map(row)])
        .execute()
    },
    { patient: true },
  )
}

/** Null where the account was never measured. */
export async function readMeasured(db: Kysely<Tables>, accountId: string): Promise<Measured | null> {
  const { bytes, at } = await db
    .selectFrom('storage_usage')
    .where('account_id', '=', accountId)
    .select([sql<number | null>`sum(bytes)`.as('bytes'), sql<string | null>`max(measured_at)`.as('at')])
    .executeTakeFirstOrThrow()
  return at === null ? null : { bytes: Number(bytes ?? 0), at }
}
