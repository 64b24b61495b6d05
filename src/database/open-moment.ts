import { type Migration, requireMigrated } from './migrate.ts'
import type { Moment } from './moment.ts'

interface MomentOptions {
  /** The URL of a PostgreSQL database. If empty or undefined, the embedded database in `directory` is used. */
  databaseUrl: string | undefined
  directory: string
  migrations: Migration[]
}

/** Opens a read-only snapshot of a database with the schema of this version, even while a server uses it. Throws DatabaseStartError. */
export async function openMoment<Tables>(options: MomentOptions): Promise<Moment<Tables>> {
  const { databaseUrl, directory, migrations } = options
  if (databaseUrl) {
    const { postgresMoment } = await import('./postgres/moment.ts')
    return postgresMoment<Tables>(databaseUrl, (session, place) => requireMigrated(session, migrations, place))
  }
  const { sqliteMoment } = await import('./sqlite/moment.ts')
  return sqliteMoment<Tables>(directory, (session, place) => requireMigrated(session, migrations, place))
}
