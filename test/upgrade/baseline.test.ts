import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadMigrations, type Migration, sqlFor } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { allMigrations } from '../../src/migrations.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { hasCommit, unpack } from './last-release.ts'
import { schemaOf } from './schema.ts'

const MIGRATIONS = 'src/database/migrations'
const migrations = await allMigrations()
const baseline = migrations[0]!
/** The baseline of the core, and the first migration of each feature, whose tables it once had. */
const baselines = [baseline, ...migrations.filter(({ name }) => name.endsWith('/0001_schema'))]
/** The first line of the baseline names the last version that has the migrations which it replaces. */
const COMMIT = /^-- baseline: .* at commit (\w+)\n/.exec(sqlFor(baseline, 'sqlite'))![1]!
const known = hasCommit(COMMIT)
const reason = known ? '' : ' (SKIPPED: this copy has no history that holds the migrations which it replaces)'

describe.skipIf(!known)(`the baseline of the schema${reason}`, () => {
  let replaced: Migration[]
  beforeAll(async () => {
    const { directory, remove } = await unpack(COMMIT, [MIGRATIONS])
    replaced = await loadMigrations(pathToFileURL(join(directory, MIGRATIONS)))
    await remove()
  })

  it.each(engines)(
    'makes on $name what they made, and their database starts with it',
    async ({ name, available, open }) => {
      if (!available) return
      const [fresh, { directory, remove }] = [await open<Record<string, never>>(baselines), await freshDirectory()]
      const server = name === 'postgres' ? await freshPostgresUrl() : undefined
      const openOld = (all: Migration[]) =>
        openDatabase<Record<string, never>>({ directory, databaseUrl: server?.url, migrations: all })
      const old = await openOld(replaced)
      expect((await schemaOf(fresh)).length).toBeGreaterThan(1_000)
      expect(await schemaOf(fresh)).toEqual(await schemaOf(old))
      await old.transaction(({ db }) => sql`insert into settings (name, value) values ('kept', 'yes')`.execute(db))
      const before = await schemaOf(old)
      await old.close()
      const started = await openOld(baselines)
      expect(await schemaOf(started)).toEqual(before)
      const records = await sql<{ name: string }>`select name from schema_migrations`.execute(started.read)
      expect(records.rows).toEqual(baselines.map(({ name }) => ({ name })))
      await Promise.all([fresh.close(), started.close()])
      await Promise.all([remove(), server?.remove()])
    },
  )
})
