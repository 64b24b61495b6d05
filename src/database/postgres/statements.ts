import type { CompiledQuery } from 'kysely'
import type { PoolClient } from 'pg'
import { type Bindable, bindable } from '../parameters.ts'
import { PLAN_TRANSACTION } from './session-settings.ts'

/** A statement as `pg` takes it. */
export interface Statement {
  name?: string
  text: string
  values: Bindable[]
}

/** How compiled queries are sent. Throws TypeError for a parameter that SQLite cannot hold. */
export interface StatementOf {
  (query: CompiledQuery): Statement
  /** What each transaction begins with, where sessions are not its own. */
  first?: string
  /** From now on statements are prepared anew: those that are prepared know the tables as they were. */
  renew?(): void
}

/** Another version has added a column to a table, while a statement that shows all columns was prepared before. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type'
}

/** Statements that each connection keeps prepared; a query text made at run time must not grow its memory without end. */
const PREPARED = 500

/** Named, so that each connection of one database parses and plans them the first time only. */
function namedStatements(): StatementOf {
  const names = new Map<string, string>()
  let given = 0
  const statementOf: StatementOf = ({ sql, parameters }) => {
    const values = bindable(parameters)
    let name = names.get(sql)
    if (name === undefined && names.size < PREPARED) {
      name = `s${given++}`
      names.set(sql, name)
    }
    return { ...(name !== undefined && { name }), text: sql, values }
  }
  statementOf.renew = () => names.clear()
  return statementOf
}

/** Parsed and planned each time, because the next statement may go to another session of the server. */
const unnamed: StatementOf = Object.assign(
  ({ sql, parameters }: CompiledQuery) => ({ text: sql, values: bindable(parameters) }),
  { first: PLAN_TRANSACTION },
)

/**
 * Named statements where the connection is one session of the server. A pooler such as PgBouncer, which may give each transaction
 * another session, makes up the process number that it tells its clients.
 */
export async function statementsOver(client: PoolClient): Promise<StatementOf> {
  const { processID } = client as PoolClient & { processID: number | null }
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === processID ? namedStatements() : unnamed
}
