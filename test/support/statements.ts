import type { CompiledQuery, QueryResult } from 'kysely'
import { SqliteConnection } from '../../src/database/sqlite/connection.ts'

/** Collects the statements that the embedded engine carries out during `work`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const { execute } = SqliteConnection.prototype
  SqliteConnection.prototype.execute = function <Row>(this: SqliteConnection, query: CompiledQuery) {
    texts.push(query.sql)
    return execute.call(this, query) as QueryResult<Row>
  }
  try {
    await work()
  } finally {
    SqliteConnection.prototype.execute = execute
  }
  return texts
}
