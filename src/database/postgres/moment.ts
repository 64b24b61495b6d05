import type { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import type { CheckSchema, Moment } from '../moment.ts'
import { execute, sessionHandle } from './handle.ts'
import { migrationSession } from './migration-session.ts'
import { connect, createPool } from './pool.ts'
import { placeOf, startError } from './start.ts'
import { statementsOver } from './statements.ts'

/** Opens a read-only snapshot of a PostgreSQL database. Throws DatabaseStartError. */
export async function postgresMoment<Tables>(url: string, checkSchema: CheckSchema): Promise<Moment<Tables>> {
  let pool: Pool | undefined
  try {
    pool = createPool(url, 1)
    const opened = pool
    const client = await connect(opened)
    await client.query('begin isolation level repeatable read read only')
    await checkSchema(migrationSession(client, opened), placeOf(url))
    const statementOf = await statementsOver(client)
    const run = <Row>(query: CompiledQuery) => execute<Row>(client, statementOf(query))
    return {
      engine: 'postgres',
      db: sessionHandle<Tables>(run, run),
      // The check of PostgreSQL is pg_amcheck, which needs privileges that the service does not have.
      damage: async () => [],
      async close() {
        client.release(true)
        await opened.end()
      },
    }
  } catch (error) {
    await pool?.end()
    throw startError(error, url)
  }
}
