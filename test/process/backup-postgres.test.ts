import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { findServerPrograms } from '../support/postgres-server.mjs'
import { type Environment, environmentOf, killAll, shopwright, startServer } from '../support/server.ts'

const programs = findServerPrograms()
const undo: (() => unknown)[] = []
afterAll(async () => {
  killAll()
  for (const step of undo) await step()
})

/** Runs the one command that begins with `program` in what was printed, as an operator who copies it. */
function runPrinted(printed: string, program: string, { PATH, DATABASE_URL }: Environment): void {
  const command = printed.split('\n').find((line) => line.trim().startsWith(program))
  expect(command).toBeDefined()
  const environment = { PATH: `${programs}:${PATH}`, DATABASE_URL }
  execFileSync('sh', ['-c', command!], { env: environment, stdio: 'pipe' })
}

it.skipIf(!testServerUrl || programs === null)(
  'a shop on PostgreSQL comes back with the commands that are printed',
  async () => {
    const { directory, remove } = await freshDirectory()
    const [before, after] = [await freshPostgresUrl(), await freshPostgresUrl()]
    undo.push(before.remove, after.remove, remove)
    const file = join(directory, 'shop.tar')
    const environment = environmentOf(join(directory, 'data'), { DATABASE_URL: before.url })
    const server = await startServer(environment)
    const made = (await server.api('POST', '/products', { name: 'Ruby Handbook' })).body
    const said = (await shopwright(['backup', file], environment).ended).stdout
    runPrinted(said, 'pg_dump', environment)
    await server.stop()

    const again = environmentOf(join(directory, 'again'), { DATABASE_URL: after.url })
    const usage = (await shopwright(['restore'], again).ended).stderr
    runPrinted(usage.replace('FILE.dump', `${file}.dump`), 'pg_restore', again)
    expect(await shopwright(['restore', file], again).ended).toMatchObject({ code: 0 })
    const restored = await startServer(again)
    const found = await restored.api('GET', `/products/${made.id}`, undefined, { token: server.token! })
    expect(found).toMatchObject({ status: 200, body: { name: 'Ruby Handbook' } })
  },
)
