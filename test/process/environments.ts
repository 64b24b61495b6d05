import { afterEach } from 'vitest'
import { freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { type Environment, environmentOf, killAll } from '../support/server.ts'

/**
 * Makes environments of servers on fresh databases. After each test the servers that it has left running are killed, and the
 * databases removed.
 */
export function freshEnvironments(): (engine: 'sqlite' | 'postgres', more: Environment) => Promise<Environment> {
  const undo: (() => Promise<void>)[] = []
  afterEach(async () => {
    killAll()
    for (const step of undo.splice(0)) await step()
  })
  return async (engine, more) => {
    const fresh = await freshDirectory()
    undo.push(fresh.remove)
    const database = engine === 'postgres' ? await freshPostgresUrl(process.env.TEST_TEMPLATE_DATABASE) : undefined
    if (database) undo.push(database.remove)
    return environmentOf(fresh.directory, { DATABASE_URL: database?.url, ...more })
  }
}
