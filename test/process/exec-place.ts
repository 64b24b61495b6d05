import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { some } from '../support/depth.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

/** Where `exec` finds the shop. exec-limits.test.ts runs it alone in the gate, too. */
export const PLACES = some(['beside a running server', 'alone', 'on another server'], 1)

/** A shop for the tests of a suite, in one of the places. `directory` is for their files. */
export function execIn(place: string) {
  const shop = {} as { directory: string; environment: Environment; server: Server }
  let remove: () => Promise<void>

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    const environment = environmentOf(join(fresh.directory, 'data'))
    const server = await startServer(environment)
    if (place === 'alone') await server.stop()
    const address = { SHOPWRIGHT_URL: server.url, SHOPWRIGHT_TOKEN: server.token! }
    Object.assign(shop, { directory: fresh.directory, server })
    shop.environment = place === 'on another server' ? { ...environment, ...address } : environment
  })
  afterAll(async () => {
    await shop.server.stop()
    killAll()
    await remove()
  })

  return Object.assign(shop, {
    exec: (args: readonly string[], input?: string) => command(['exec', ...args], shop.environment, input),
  })
}
