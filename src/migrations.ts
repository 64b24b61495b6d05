import { readdir } from 'node:fs/promises'
import { loadMigrations, type Migration } from './database/migrate.ts'

const CORE = new URL('database/migrations/', import.meta.url)
const FEATURES = new URL('features/', import.meta.url)

/**
 * Returns the migrations of the core, then those of the features, whose names begin with the feature: `social/0001_schema`.
 * `only` contains the names of the features in this build; by default, all features are included.
 */
export async function allMigrations(only?: readonly string[]): Promise<Migration[]> {
  const folders = await readdir(FEATURES, { recursive: true })
  const features = folders
    .filter((path) => /^[^/\\]+[/\\]migrations$/.test(path))
    .map((path) => path.split(/[/\\]/)[0]!)
  const built = features.sort().filter((name) => only?.includes(name) ?? true)
  const parts = built.map(async (name) => {
    const migrations = await loadMigrations(new URL(`${name}/migrations/`, FEATURES))
    return migrations.map((one) => ({ ...one, name: `${name}/${one.name}` }))
  })
  return [...(await loadMigrations(CORE)), ...(await Promise.all(parts)).flat()]
}
