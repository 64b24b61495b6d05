import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { allMigrations } from '../../src/migrations.ts'
import { freshPostgresUrl, testServerUrl } from '../database/engines.ts'

const DATABASE = 'shopwright.db'

/** Creates a migrated, empty database of each engine before a run. `startApp` copies it instead of running the migrations. */
export async function setup(): Promise<() => Promise<void>> {
  const migrations = await allMigrations()
  const directory = await mkdtemp(join(tmpdir(), 'shopwright-template-'))
  await (await openSqlite({ directory, migrations })).close()
  process.env.TEST_TEMPLATE_DIRECTORY = directory
  const removals = [() => rm(directory, { recursive: true, force: true })]
  if (testServerUrl) {
    const { url, remove } = await freshPostgresUrl()
    await (await openPostgres({ url, migrations })).close()
    process.env.TEST_TEMPLATE_DATABASE = new URL(url).pathname.slice(1)
    removals.push(remove)
  }
  return async () => {
    for (const remove of removals) await remove()
  }
}

/** Copies the migrated database into the data directory of a service. */
export async function copyTemplate(dataDirectory: string): Promise<void> {
  const { TEST_TEMPLATE_DIRECTORY } = process.env
  if (!TEST_TEMPLATE_DIRECTORY) return
  await mkdir(dataDirectory, { mode: 0o700, recursive: true })
  await copyFile(join(TEST_TEMPLATE_DIRECTORY, DATABASE), join(dataDirectory, DATABASE))
}
