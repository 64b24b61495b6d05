import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadMigrations } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines, freshDirectory, freshPostgresUrl } from './engines.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)
const THEN = '2026-01-01T00:00:00Z'
const HOUR_MS = 3_600_000
const ID = '01arz3ndektsv4rrffq69g5fav'

for (const engine of engines) {
  describe.skipIf(!engine.available)(`domains of sites of earlier versions, on ${engine.name}`, () => {
    let place: { directory: string; databaseUrl: string | undefined }
    let undo: () => Promise<unknown>
    beforeEach(async () => {
      const { directory, remove } = await freshDirectory()
      const server = engine.name === 'postgres' ? await freshPostgresUrl() : undefined
      place = { directory, databaseUrl: server?.url }
      undo = () => Promise.all([remove(), server?.remove()])
    })
    afterEach(() => undo())

    it('are looked up from now on where they were verified', async () => {
      const migrations = await loadMigrations(MIGRATIONS)
      const old = await openDatabase<Tables>({ ...place, migrations: migrations.filter(({ name }) => name < '0144') })
      await old.transaction(async ({ db }) => {
        for (const [id, domain] of [
          [`aisite_${ID}`, 'www.example.com'],
          ['aisite_2', null],
        ])
          await sql`insert into sites (account_id, id, name, domain, verified_domain, domain_verified, domain_checks,
            access_mode, is_live, show_referral_badge, build_status, created_at, updated_at)
            values ('acct_1', ${id}, 'Paper', ${domain}, ${domain}, 1, 3, 'public', 1, 1, 'live', ${THEN}, ${THEN})`.execute(
            db,
          )
      })
      await old.close()
      const database = await openDatabase<Tables>({ ...place, migrations })
      const [job, ...others] = await database.read.selectFrom('jobs').selectAll().execute()
      expect(others).toEqual([])
      expect(job).toMatchObject({
        ...{ account_id: 'acct_1', id: `job_${ID}`, name: 'site.check_domain', lane: 'outside', state: 'due' },
        attempts: 0,
      })
      expect(Math.abs(Date.parse(job!.run_at) - Date.now() - HOUR_MS)).toBeLessThan(HOUR_MS / 2)
      expect(JSON.parse(job!.payload)).toEqual({ site: `aisite_${ID}`, check: 3, since: THEN })
      await database.close()
    })
  })
}
