import type { CompiledQuery } from 'kysely'
import type { PoolClient } from 'pg'
import { type Bindable, bindable } from '../parameters.ts'
import { PLAN_TRANSACTION } from './session-settings.ts'

export interface Statement {
  name?: string
  text: string
  values: Bindable[]
}

/** Converts a compiled query to a statement. Throws TypeError for a parameter that SQLite could not store either. */
export interface StatementOf {
  (query: CompiledQuery): Statement
  /** The first statement of each transaction; set if a pooler shares sessions between clients. */
  first?: string
  /** Prepares all statements again under new names, because the existing ones were prepared for old table definitions. */
  renew?(): void
}

/** Whether an error means that a prepared statement is outdated, because a newer version has added a column. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type'
}

/** The maximum number of prepared statements per connection. It limits the memory if query texts are generated at run time. */
const PREPARED = 500

/** Gives statements names, so that each connection parses and plans them only once. */
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

/** Leaves statements unnamed, because the next statement may run in another session of the server. */
const unnamed: StatementOf = Object.assign(
  ({ sql, parameters }: CompiledQuery) => ({ text: sql, values: bindable(parameters) }),
  { first: PLAN_TRANSACTION },
)

/**
 * Gives statements names if the connection always uses the same session of the server. A pooler such as PgBouncer may use another
 * session for each transaction. It can be recognised because it reports a process id that is not the server's.
 */
export async function statementsOver(client: PoolClient): Promise<StatementOf> {
  const { processID } = client as PoolClient & { processID: number | null }
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === processID ? namedStatements() : unnamed
}
