import { type Database, DatabaseStartError } from './database.ts'
import type { Migration } from './migrate.ts'

export interface PostgresOptions {
  url: string
  migrations: Migration[]
  poolSize?: number
}

export async function openPostgres<Tables>(_options: PostgresOptions): Promise<Database<Tables>> {
  throw new DatabaseStartError('PostgreSQL is not supported yet: leave DATABASE_URL empty.')
}
