import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { Visitor } from '../pages/visitor.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const ROUNDS = times({ gate: 2, deep: 5 })
const ADDRESS = { line1: '30 N Gould St', city: 'Sheridan', state: 'WY', postal_code: '82801', country: 'USA' }
const PERSON = { legal_first_name: 'Ada', legal_last_name: 'Lovelace', address: ADDRESS }
const FORMATION = {
  ...{ entity_type: 'LLC', state: 'WY', naics_code: '541511', description: 'Software' },
  name_options: [{ name: 'Analytical Engines' }],
  members: [{ ...PERSON, ownership_percent: 100 }],
  responsible_party: PERSON,
  mailing_address: { ...ADDRESS, phone: '+1 307 555 0100' },
}

let undo: () => Promise<void> = async () => {}
afterEach(() => {
  killAll()
  return undo()
})

async function startPaid(server: Server, token: string): Promise<string> {
  const { body } = await server.api('POST', '/formations', FORMATION, { token })
  const visitor = new Visitor(server.url)
  const page = await visitor.open(new URL(body.checkout_url).pathname)
  await visitor.press(page, 'pay', { email: 'ada@example.com', card: '4242 4242 4242 4242' })
  return body.id
}

/** What the dead server had leased is free for the next one at once, as it would be a minute later. */
const letLeasesPass = (environment: Environment) =>
  withDatabase(readSettings(environment), (database) =>
    database.transaction(({ db }) =>
      db.updateTable('jobs').set({ leased_until: '2000-01-01T00:00:00Z' }).where('state', '=', 'working').execute(),
    ),
  )

it('files a formation once, whenever the server is killed after it was submitted', { timeout: 300_000 }, async () => {
  const { directory, remove } = await freshDirectory()
  undo = remove
  const environment = environmentOf(directory)
  const token = await prepareShop(environment)
  const ids: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServer(environment)
    const id = await startPaid(server, token)
    expect((await server.api('POST', `/formations/${id}/submit`, {}, { token })).body.status).toBe('submitted')
    await sleep(Math.random() * 15)
    await server.stop('SIGKILL')
    await letLeasesPass(environment)
    ids.push(id)
  }
  const server = await startServer(environment)
  const get = async (path: string) => (await server.api('GET', path, undefined, { token })).body
  for (const id of ids) {
    while ((await get(`/formations/${id}`)).status !== 'completed') await sleep(50)
    expect((await get(`/formation_documents?formation=${id}`)).data).toHaveLength(3)
  }
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  const events = await withDatabase(readSettings(environment), ({ read }) =>
    read.selectFrom('events').select('resource_id').where('type', '=', 'formation.completed').execute(),
  )
  expect(events.map(({ resource_id }) => resource_id).sort()).toEqual(ids.sort())
})
