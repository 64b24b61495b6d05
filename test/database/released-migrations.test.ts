import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { loadMigrations, type Migration, sqlFor } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { engines, freshDirectory, freshPostgresUrl } from './engines.ts'

/** In the format of sha256sum, which writes it: `(cd src/database/migrations && sha256sum *.sql)`. */
const RELEASED = new URL('./released-migrations.sha256', import.meta.url)

const OF_ENGINE = /\.(sqlite|postgres)$/

const migrations = await loadMigrations(new URL('../../src/database/migrations/', import.meta.url))
const released = (await readFile(RELEASED, 'utf8'))
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/) as [digest: string, file: string])

describe('migrations that were released', () => {
  it('never change: a new one repairs what an old one did', () => {
    const digests = new Map(migrations.flatMap(filesOf).map(([file, sql]) => [file, sha256(sql)]))
    const changed = released.filter(([digest, file]) => digests.get(file) !== digest).map(([, file]) => file)
    expect(changed).toEqual([])
  })

  it('come before all others', () => {
    const names = [...new Set(released.map(([, file]) => file.slice(0, -'.sql'.length).replace(OF_ENGINE, '')))]
    expect(migrations.slice(0, names.length).map(({ name }) => name)).toEqual(names)
  })
})

/** Statements that the files had at first, or lacked, by the name of the migration. */
const EARLIER: Record<string, (sql: string) => string> = {
  '0012_sales': (sql) =>
    without(sql, [
      'payments_by_checkout',
      'price_variants_by_id',
      'checkouts_by_subscription',
      'checkouts_that_are_open',
      'checkouts_by_customer',
      'invoices_by_price_variant',
    ]),
  '0030_people': (sql) => without(sql, ['sessions_by_expiry', 'verifications_by_expiry', 'invitations_by_id']),
  '0036_overview': (sql) => without(sql, ['emails_by_customer', 'order_items_by_product_payment']),
  '0047_sorts_alone': (sql) =>
    `${sql}create index customers_by_email on customers (account_id, email, id) where length(id) > 0;\n`,
}

for (const { name: engine, available } of engines) {
  describe.skipIf(!available)(`a database on ${engine} that ran earlier forms of migrations`, () => {
    it('ends with the schema of a new one', async () => {
      const last = migrations.findIndex(({ name }) => name > '0048_client_buckets')
      const earlier = migrations
        .slice(0, last)
        .map((one) => ({ ...one, sql: EARLIER[one.name]?.(sqlFor(one, engine)) ?? one.sql }))
      expect(await indexesAfter(engine, [earlier, migrations])).toEqual(await indexesAfter(engine, [migrations]))
    })
  })
}

/** Opens a new database with each of these, one after the other, and tells its indexes with their definitions. */
async function indexesAfter(engine: 'sqlite' | 'postgres', openings: Migration[][]): Promise<unknown[]> {
  const place = await freshDirectory()
  const server = engine === 'postgres' ? await freshPostgresUrl() : null
  let indexes: unknown[] = []
  for (const each of openings) {
    const opening = { databaseUrl: server?.url, directory: place.directory, migrations: each }
    const database = await openDatabase<Record<string, never>>(opening)
    indexes = await indexesOf(database)
    await database.close()
  }
  await Promise.all([place.remove(), server?.remove()])
  return indexes
}

async function indexesOf({ engine, read }: Database<Record<string, never>>): Promise<unknown[]> {
  const query =
    engine === 'sqlite'
      ? sql`select name, replace(sql, 'IF NOT EXISTS ', '') as sql from sqlite_schema where type = 'index' and sql is not null`
      : sql`select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public'`
  const { rows } = await query.execute(read)
  return (rows as { name: string; sql: string }[])
    .map(
      ({ name, sql }) => `${name}: ${sql.replace(/\s+/g, ' ').replace('create index if not exists', 'create index')}`,
    )
    .sort()
}

function without(sql: string, indexes: string[]): string {
  return indexes.reduce((rest, index) => {
    const left = rest.replace(new RegExp(`create index ${index} [^;]+;\\n`), '')
    if (left === rest) throw new Error(`There is no index ${index}.`)
    return left
  }, sql)
}

/** The files of a migration, with their content. */
function filesOf({ name, sql }: Migration): [file: string, sql: string][] {
  if (typeof sql === 'string') return [[`${name}.sql`, sql]]
  return Object.entries(sql).map(([engine, text]) => [`${name}.${engine}.sql`, text])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
