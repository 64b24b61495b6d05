import { type MigrationSession, sqlFor } from '../migrate.ts'
import type { SqliteConnection } from './connection.ts'

/** Returns a session that runs migrations on the writing connection. BEGIN IMMEDIATE makes other processes wait. */
export function migrationSession({ raw }: SqliteConnection): MigrationSession {
  const record = (name: string, appliedAt: string) =>
    raw.prepare('insert into schema_migrations (name, applied_at) values (?, ?)').run(name, appliedAt)
  return {
    engine: 'sqlite',
    async isPrepared() {
      return raw.prepare(`select name from sqlite_schema where name = 'schema_migrations'`).get() !== undefined
    },
    async prepare(createTable) {
      raw.exec(createTable)
    },
    async begin() {
      raw.exec('begin immediate')
    },
    async applied() {
      return raw
        .prepare('select name from schema_migrations')
        .all()
        .map((row) => String(row.name))
    },
    async apply(migration, appliedAt) {
      raw.exec(sqlFor(migration, 'sqlite'))
      record(migration.name, appliedAt)
    },
    async applyOnline(statements, migration, appliedAt) {
      // An early commit is safe, because no other server uses the directory during a start.
      raw.exec('commit')
      for (const { sql, repeat } of statements) {
        const statement = raw.prepare(sql)
        while (statement.run().changes && repeat);
      }
      raw.exec('begin immediate')
      record(migration.name, appliedAt)
    },
    isLocked: () => false,
    async commit() {
      raw.exec('commit')
    },
    async rollback() {
      if (raw.isTransaction) raw.exec('rollback')
    },
  }
}
