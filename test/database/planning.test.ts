import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../src/database/postgres/pool.ts'
import { analyzeYoung, openPostgres } from '../../src/database/postgres.ts'
import { allMigrations } from '../../src/migrations.ts'
import { freshPostgresUrl, testServerUrl } from './engines.ts'

const ROWS = 1_000
const ACCOUNTS = 3

describe.skipIf(!testServerUrl)('PostgreSQL', () => {
  let remove = async () => {}
  let pool: Pool
  beforeAll(async () => {
    const database = await freshPostgresUrl()
    remove = database.remove
    await (await openPostgres({ url: database.url, migrations: await allMigrations() })).close()
    pool = createPool(database.url, 1)
  })
  afterAll(async () => {
    await pool.end()
    await remove()
  })

  it('reads no table from end to end where a query has an index, however few rows there are', async () => {
    await fill('accounts', 3)
    await pool.query('analyze accounts')
    expect(await planOf("select * from accounts where account_id = 'acct_1' and id = 'a'")).toMatch(/^Index Scan/)
  })

  it('is told to look at a young table, and then goes by the key of each row', async () => {
    await fill('products')
    const looked = async () => {
      const { rows } = await pool.query("select reltuples::int from pg_class where relname = 'products'")
      return rows[0].reltuples
    }
    expect(await looked()).toBe(-1)
    await pool.query('select pg_stat_force_next_flush()')
    await analyzeYoung(pool)
    expect(await looked()).toBe(ROWS)
    expect(await planOf("select * from products where account_id = 'acct_1' and id = 'a'")).toContain('products_pkey')
  })

  it('has indexes of ids alone for those who do not know the account, and for nobody else', async () => {
    const { rows } = await pool.query(
      `select tablename, indexname from pg_indexes where indexdef like '%btree (id)%' and indexdef not like '%UNIQUE%'`,
    )
    expect(rows.map(({ tablename }) => tablename)).toEqual(expect.arrayContaining(['checkouts', 'customers']))
    for (const { tablename, indexname } of rows) {
      await fill(tablename)
      await pool.query(`analyze ${tablename}`)
      const known = `select * from ${tablename} where account_id = 'acct_1' and id = 'a'`
      expect(await planOf(known)).toContain(`${tablename}_pkey`)
      expect(await planOf(`select * from ${tablename} where id = 'a' and length(id) > 0`)).toContain(indexname)
    }
  })

  it('finds the few rows in a range of a sorted number in its index, though it guesses that a third of all rows are in it', async () => {
    await pool.query('delete from customers')
    await fill('customers', 10_000)
    await pool.query('analyze customers')
    const few = "select id from customers where account_id = 'acct_1' and length(id) > 0 and (total_spend + 0) >= 9990"
    expect(await planOf(`${few} order by (total_spend + 0) limit 501`)).toContain('customers_by_spend')
  })

  async function planOf(query: string): Promise<string> {
    const { rows } = await pool.query(`explain ${query}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  /** Inserts rows of several accounts with a value in every required column. */
  async function fill(table: string, count = ROWS): Promise<void> {
    const { rows } = await pool.query(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_nullable = 'NO' and column_default is null`,
      [table],
    )
    const filled = ({ name, type }: { name: string; type: string }) => {
      if (name === 'account_id') return `'acct_' || n % ${ACCOUNTS}`
      return type === 'text' ? "'text ' || n" : 'n'
    }
    const names = rows.map(({ name }) => `"${name}"`)
    await pool.query(
      `insert into ${table} (${names}) select ${rows.map(filled)} from generate_series(1, ${count}) as made (n)`,
    )
  }
})
