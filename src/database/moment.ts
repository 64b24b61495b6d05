import type { Kysely } from 'kysely'
import { type Migration, requireMigrated } from './migrate.ts'

/** The whole database as it is at one moment. Nothing can be written through it, and others write meanwhile. */
export interface Moment<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** What the engine itself finds wrong with its pages and indexes, a sentence each; none where it has no such check. */
  damage(): Promise<string[]>
  close(): Promise<void>
}

interface MomentOptions {
  /** Empty or undefined: the embedded database in `directory`. */
  databaseUrl: string | undefined
  directory: string
  migrations: Migration[]
}

/** Opens a database of this version for reading alone, whether a server uses it or not. Throws DatabaseStartError. */
export async function openMoment<Tables>(options: MomentOptions): Promise<Moment<Tables>> {
  const { databaseUrl, directory, migrations } = options
  if (databaseUrl) {
    const { postgresMoment } = await import('./postgres/moment.ts')
    return postgresMoment<Tables>(databaseUrl, (session, place) => requireMigrated(session, migrations, place))
  }
  const { sqliteMoment } = await import('./sqlite/moment.ts')
  return sqliteMoment<Tables>(directory, (session, place) => requireMigrated(session, migrations, place))
}

/** Checks the schema of what was opened. */
export type CheckSchema = (session: Parameters<typeof requireMigrated>[0], place: string) => Promise<void>
