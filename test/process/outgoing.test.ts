import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { UNNAMED_OWNER } from '../../src/resources/company/account/life/open.ts'
import { freshDirectory } from '../database/engines.ts'
import { PASSWORD, Person } from '../support/person.ts'
import { type Environment, environmentOf, killAll, launch, startServer } from '../support/server.ts'

afterAll(killAll)

const HOOK = fileURLToPath(new URL('../support/connections.mjs', import.meta.url))

it('A server connects to nobody by itself: no telemetry, whatever its packages bring along', async () => {
  const { directory, remove } = await freshDirectory()
  const file = join(directory, 'connections')
  const watched: Environment = { NODE_OPTIONS: `--import=${HOOK}`, CONNECTIONS_FILE: file }
  const hosts = async () => new Set((await readFile(file, 'utf8')).split('\n').filter(Boolean))
  const fetching = ['-e', "fetch('http://127.0.0.1:65535').catch(() => {})"]
  await launch(process.execPath, fetching, { ...process.env, ...watched }).ended
  expect(await hosts()).toEqual(new Set(['127.0.0.1']))
  await writeFile(file, '')

  const demo = { DEMO_DATA: 'shop', BETTER_AUTH_TELEMETRY: 'true', ...watched }
  const server = await startServer(environmentOf(join(directory, 'data'), demo))
  const person = new Person(server)
  const [link] = /\/set-password\/[\w-]+/.exec(server.printed())!
  await person.submit(link, { ...UNNAMED_OWNER, password: PASSWORD })
  expect((await person.get('/dashboard')).location).toContain('/dashboard/')
  expect(await server.tool('code_execute', 'get("/products")["data"].size')).toMatchObject({
    result: expect.any(Number),
  })
  expect(await server.stop()).toMatchObject({ code: 0 })
  expect(await hosts()).toEqual(new Set())
  await remove()
})
