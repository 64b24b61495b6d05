import type { Kysely } from 'kysely'
import type { Migration } from '../../src/database/migrate.ts'

export interface ItemTables {
  item: { id: string; amount: number; active: boolean; body: string | null }
}

export const itemMigrations: Migration[] = [
  {
    name: '0001-item',
    sql: `create table item (
      id text not null primary key,
      amount bigint not null,
      active boolean not null,
      body text
    );`,
  },
]

export async function insertItem(db: Kysely<ItemTables>, id: string, amount = 0): Promise<void> {
  await db.insertInto('item').values({ id, amount, active: true, body: null }).execute()
}

export async function itemIds(db: Kysely<ItemTables>): Promise<string[]> {
  const rows = await db.selectFrom('item').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
