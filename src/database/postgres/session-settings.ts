import type { ClientBase } from 'pg'

/**
 * A sequential scan conflicts with every concurrent write to the table, and PostgreSQL would always scan small tables, so scans are
 * disabled; every query of an account has an index. A disabled scan gets a very high cost, which must not start JIT compilation.
 */
const PLANNING: [name: string, value: string][] = [
  ['enable_seqscan', 'off'],
  ['jit', 'off'],
]

/** Applies the planner settings to one transaction, for poolers that may run the next transaction in another session. */
export const PLAN_TRANSACTION = `select ${PLANNING.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`

/**
 * Planner settings, and limits after which the server ends the session of a vanished client to free its locks and its connection. The
 * defaults of PostgreSQL are two hours or no limit. Settings that a server does not know are skipped.
 *
 * There is deliberately no `statement_timeout`: it would also end the wait of a COMMIT for its synchronous standby, and PostgreSQL would
 * answer as if the standby had the data.
 */
const SETTINGS: [name: string, value: string][] = [
  ...PLANNING,
  // A transaction is idle only while its process computes, and a program may run for five seconds.
  ['idle_in_transaction_session_timeout', '15s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '20s'],
]

export class StandbyError extends Error {}

/** Applies the settings unless a pooler shares the session with others. Rejects with StandbyError if the server accepts no writes. */
export async function prepareSession(client: ClientBase): Promise<void> {
  const processId = 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
  const settings = SETTINGS.map(([name, value]) => `('${name}', '${value}')`).join(', ')
  const { rows } = await client.query<{ standby: boolean }>(
    `select pg_is_in_recovery() as standby, (
      select count(set_config(wanted.name, wanted.value, false)) from (values ${settings}) as wanted (name, value)
      join pg_settings as known on known.name = wanted.name where pg_backend_pid() = ${processId}
    ) as settings`,
  )
  if (rows[0]?.standby) throw new StandbyError('The server of the database is a standby, which only reads.')
}
