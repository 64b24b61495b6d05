import type { Pool } from 'pg'

/** From this number of rows, a wrong query plan is noticeably slow. */
const YOUNG_ROWS = 20

/**
 * Analyzes tables that PostgreSQL has not analyzed yet. The planner assumes that they are tiny, so any index that begins with the account
 * seems as good as the primary key, and each look-up reads all rows of the account until autovacuum runs, once a minute. Several replicas
 * may do this at the same time.
 */
export async function analyzeYoung(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(YOUNG)
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`)
}

const YOUNG = `
  select relid::regclass::text as name from pg_stat_user_tables
  join pg_class on pg_class.oid = relid and relnamespace = current_schema()::regnamespace
  where reltuples <= 0 and n_tup_ins >= ${YOUNG_ROWS} and n_mod_since_analyze > 0`
