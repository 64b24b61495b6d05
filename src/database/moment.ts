import type { Kysely } from 'kysely'
import type { MigrationSession } from './migrate.ts'

/** The whole database as it is at one moment. Nothing can be written through it, and others write meanwhile. */
export interface Moment<Tables> {
  readonly engine: 'sqlite' | 'postgres'
  readonly db: Kysely<Tables>
  /** What the engine itself finds wrong with its pages and indexes, a sentence each; none where it has no such check. */
  damage(): Promise<string[]>
  close(): Promise<void>
}

/** Checks the schema of what was opened; throws DatabaseStartError. `place` names the database. */
export type CheckSchema = (session: Pick<MigrationSession, 'isPrepared' | 'applied'>, place: string) => Promise<void>
