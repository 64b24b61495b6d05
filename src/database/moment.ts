import type { Kysely } from 'kysely'
import type { MigrationSession } from './migrate.ts'

/** A read-only snapshot of the whole database. It does not block writes. */
export interface Moment<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** Returns a sentence for each error that the engine finds in its pages and indexes; none if the engine cannot check them. */
  damage(): Promise<string[]>
  close(): Promise<void>
}

/** Throws DatabaseStartError if the schema cannot be used. `place` is the database's name in messages. */
export type CheckSchema = (session: Pick<MigrationSession, 'isPrepared' | 'applied'>, place: string) => Promise<void>
