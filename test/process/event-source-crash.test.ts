import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import type { Database } from '../../src/database/database.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { readSettings } from '../../src/settings/config.ts'
import { testServerUrl } from '../database/engines.ts'
import { some } from '../support/depth.ts'
import { startServer } from '../support/server.ts'
import { type Site, startSite } from '../support/site.ts'
import { freshEnvironments } from './environments.ts'

const PAST = '2000-01-01T00:00:00Z'
const SETTINGS = { SECRET_KEY: 'a key that the server keeps', OUTSIDE_ALLOW_LOOPBACK: 'true' }

const prepare = freshEnvironments()
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())
const feedOf = (...titles: string[]) =>
  `<rss><channel>${titles.map((title) => `<item><title>${title}</title></item>`).join('')}</channel></rss>`

// What a kill leaves in PostgreSQL is seen in the gate by the kills of sales, imports and deliveries.
describe.each(some(['sqlite', 'postgres'] as const, 1))('a server on %s that is killed while it polls', (engine) => {
  it.skipIf(engine === 'postgres' && !testServerUrl)(
    'starts each run once, after its next start',
    async () => {
      const environment = await prepare(engine, SETTINGS)
      const within = <Result>(work: (database: Database<Tables>) => Promise<Result>) =>
        withDatabase(readSettings(environment), work)
      const pollAgain = () =>
        within((database) =>
          database.transaction(async ({ db }) => {
            const polls = db.updateTable('jobs').where('name', '=', 'poll_event_source')
            await polls.where('state', '=', 'waiting').set({ run_at: PAST }).execute()
            await polls.where('state', '=', 'working').set({ leased_until: PAST }).execute()
          }),
        )
      const pollsDone = () =>
        within(async ({ read }) => {
          const done = read.selectFrom('jobs').select('id').where('name', '=', 'poll_event_source')
          return (await done.where('state', '=', 'done').execute()).length
        })
      const path = `/${engine}`
      site.answers.set(path, (_request, response) => response.end(feedOf('old')))

      const first = await startServer(environment)
      const token = first.token!
      const config = { url: site.url + path }
      const source = await first.api('POST', '/event_sources', { provider: 'rss', event_type: 'new_item', config })
      expect(source.body.status).toBe('active')
      const trigger = { trigger_type: 'event', event_source: source.body.id }
      const task = await first.api('POST', '/tasks', { name: 'Listen', prompt: 'Look.', ...trigger })
      expect(task.status).toBe(201)
      const asked = Promise.withResolvers<void>()
      // It never answers: the server is in the middle of its poll.
      site.answers.set(path, () => asked.resolve())
      await pollAgain()
      await asked.promise
      await first.stop('SIGKILL')

      site.answers.set(path, (_request, response) => response.end(feedOf('newer', 'new', 'old')))
      await pollAgain()
      const second = await startServer(environment)
      const runs = async () => {
        const { body } = await second.api('GET', `/task_runs?ai_task_id=${task.body.id}`, undefined, { token })
        return body.data.map((run: { event: { data: { title: string } } }) => run.event.data.title)
      }
      while ((await runs()).length === 0) await sleep(50)
      const before = await pollsDone()
      await pollAgain()
      while ((await pollsDone()) === before) await sleep(50)
      expect(await runs()).toEqual(['newer', 'new'])
      await second.stop()
    },
    120_000,
  )
})
