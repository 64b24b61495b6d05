import type { ClientBase } from 'pg'

/**
 * Who reads a table from end to end conflicts with everybody who writes to it, and small tables would always be read so. Every query of
 * an account has an index. The costs of a plan without one say nothing any more, and must not have it compiled.
 */
const PLANNING: [name: string, value: string][] = [
  ['enable_seqscan', 'off'],
  ['jit', 'off'],
]

/** Sets how the server plans for one transaction, where the next one may have another session. */
export const PLAN_TRANSACTION = `select ${PLANNING.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`

/**
 * How the server plans, and how it ends what a vanished client left behind, so that its locks and its place are free again: PostgreSQL's
 * own limits are two hours, or none. Names that a server does not know are left out.
 *
 * There is deliberately no `statement_timeout`: it would also end the wait of a COMMIT for its synchronous standby, which is then
 * answered as if the standby had it.
 */
const SETTINGS: [name: string, value: string][] = [
  ...PLANNING,
  // A transaction waits for its process only; programs may run for five seconds.
  ['idle_in_transaction_session_timeout', '15s'],
  ['client_connection_check_interval', '5s'],
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '20s'],
]

/** A server that only follows another one. */
export class StandbyError extends Error {
  override name = 'StandbyError'
}

/**
 * Prepares a new connection. Behind a pooler, whose sessions others may use, nothing is set.
 * Rejects with StandbyError where the server is a standby.
 */
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
