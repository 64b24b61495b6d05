import type { DatabaseLoad } from '../database/database.ts'
import type { SandboxLoad } from '../sandbox/door.ts'
import type { Gauge } from './metrics.ts'
import type { WriteHealth } from './write-health.ts'

/** What this process has to do now. */
export function loadGauges(database: DatabaseLoad, sandbox: SandboxLoad): Gauge[] {
  return [
    { name: 'programs_waiting', help: 'Programs waiting for an interpreter', value: sandbox.waiting },
    { name: 'programs_running', help: 'Programs running', value: sandbox.running },
    { name: 'interpreters', help: 'Interpreters, idle ones included', value: sandbox.interpreters },
    ...databaseGauges(database),
  ]
}

/** Whether the database takes writes. */
export function writeGauges({ failingMs }: Pick<WriteHealth, 'failingMs'>): Gauge[] {
  return [{ name: 'writes_failing_seconds', help: 'Time for which all writes have failed', value: failingMs / 1000 }]
}

function databaseGauges(load: DatabaseLoad): Gauge[] {
  if (load.engine === 'sqlite')
    return [{ name: 'writer_waiting', help: 'Turns waiting for the writer', value: load.waiting }]
  const help = 'Connections to PostgreSQL'
  return [
    { name: 'pool_waiting', help: 'Queries waiting for a connection', value: load.waiting },
    { name: 'pool_connections', help, value: load.busy, labels: { state: 'busy' } },
    { name: 'pool_connections', help, value: load.idle, labels: { state: 'idle' } },
  ]
}
