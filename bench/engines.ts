import { freshPostgresUrl } from '../test/database/engines.ts'
import { findServerPrograms, startServer } from '../test/support/postgres-server.mjs'
import { dataDirectory } from './servers.ts'

export interface Engine {
  name: 'embedded database' | 'PostgreSQL'
  directory: string
  /** The server settings that select this database. */
  settings: Record<string, string>
}

/** Runs a measurement on the embedded database and on PostgreSQL, or prints that there is no PostgreSQL. */
export async function onEachEngine(measure: (engine: Engine) => Promise<void>): Promise<void> {
  await inFreshDirectory((directory) => measure({ name: 'embedded database', directory, settings: {} }))
  const undo: (() => unknown)[] = []
  try {
    const url = await freshPostgres(undo)
    if (url === null) return console.log(`\n${NO_POSTGRES}`)
    await inFreshDirectory((directory) => measure({ name: 'PostgreSQL', directory, settings: { DATABASE_URL: url } }))
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

export const NO_POSTGRES = 'PostgreSQL: ABSENT, so it is SKIPPED. Install its server or set TEST_DATABASE_URL.'

/** Returns the URL of a new database, on a server that is started for this run if TEST_DATABASE_URL is not set; null without PostgreSQL. */
export async function freshPostgres(undo: (() => unknown)[]): Promise<string | null> {
  const server = process.env.TEST_DATABASE_URL ?? (await startedServer(undo))
  if (server === null) return null
  process.env.TEST_DATABASE_URL = server
  const { url, remove } = await freshPostgresUrl()
  undo.push(remove)
  return url
}

async function startedServer(undo: (() => unknown)[]): Promise<string | null> {
  const programs = findServerPrograms()
  return programs === null ? null : (await startServer(programs, undo)).url
}

async function inFreshDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const { directory, remove } = await dataDirectory()
  try {
    await work(directory)
  } finally {
    await remove()
  }
}
