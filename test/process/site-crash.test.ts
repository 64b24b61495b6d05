import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { testServerUrl } from '../database/engines.ts'
import { some } from '../support/depth.ts'
import { startServer } from '../support/server.ts'
import { type Site, startSite } from '../support/site.ts'
import { freshEnvironments } from './environments.ts'

const PAST = '2000-01-01T00:00:00Z'

const prepare = freshEnvironments()
let host: Site
beforeAll(async () => {
  host = await startSite()
})
afterAll(() => host.close())

// What a kill leaves in PostgreSQL is seen in the gate by the kills of sales, imports and deliveries.
describe.each(some(['sqlite', 'postgres'] as const, 1))(
  'a server on %s that is killed while it builds a site',
  (engine) => {
    it.skipIf(engine === 'postgres' && !testServerUrl)(
      'fails the build after its next start, and repeats nothing by itself',
      async () => {
        const settings = { SECRET_KEY: 'a key that the server keeps', OUTSIDE_ALLOW_LOOPBACK: 'true' }
        const environment = await prepare(engine, { ...settings, SITE_REPOSITORIES_URL: host.url })
        const refs = `/ada/${engine}.git/info/refs`
        const asked = Promise.withResolvers<void>()
        let times = 0
        // It never answers: the server is in the middle of its clone.
        host.answers.set(refs, () => {
          times += 1
          asked.resolve()
        })
        const first = await startServer(environment)
        const token = first.token!
        const { body: made } = await first.api('POST', '/sites', { repository: `ada/${engine}` })
        await asked.promise
        await first.stop('SIGKILL')

        await withDatabase(readSettings(environment), (database) =>
          database.transaction(({ db }) =>
            db.updateTable('jobs').where('name', '=', 'site.build_long').set({ leased_until: PAST }).execute(),
          ),
        )
        const second = await startServer(environment)
        const get = async (path: string) => (await second.api('GET', path, undefined, { token })).body
        while ((await get(`/sites/${made.id}`)).build_status === 'building') await sleep(50)
        expect(await get(`/sites/${made.id}`)).toMatchObject({ build_status: 'failed', is_live: false, app_url: null })
        const { data: runs } = await get(`/task_runs?ai_task_id=${made.build_task_id}`)
        expect(runs).toMatchObject([
          {
            status: 'failed',
            error_message: expect.stringMatching(/^The service stopped before the build was done\./),
          },
        ])
        expect(times).toBe(1)
        await second.stop()
        const builds = await withDatabase(readSettings(environment), ({ read }) =>
          read.selectFrom('site_builds').select(['status', 'files_count']).execute(),
        )
        expect(builds).toEqual([{ status: 'failed', files_count: 0 }])
      },
      120_000,
    )
  },
)
