import type { Pool } from 'pg'

/** Rows from which on a wrong guess is felt. */
const YOUNG_ROWS = 20

/**
 * Has PostgreSQL look at tables that it has not looked at yet. It takes them for tiny ones, where any index that begins with the account
 * seems as good as the key: each row would be found by reading all rows of its account, until the server looks by itself, which it does
 * once a minute. Several replicas may do so at once.
 */
export async function analyzeYoung(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(YOUNG)
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`)
}

const YOUNG = `
  select relid::regclass::text as name from pg_stat_user_tables
  join pg_class on pg_class.oid = relid and relnamespace = current_schema()::regnamespace
  where reltuples <= 0 and n_tup_ins >= ${YOUNG_ROWS} and n_mod_since_analyze > 0`
