import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseStartError } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { startError as startErrorOfPostgres } from '../../src/database/postgres/start.ts'
import { startError } from '../../src/database/sqlite/start.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { startChild } from './child.ts'
import { freshDirectory, freshPostgresUrl, testServerUrl } from './engines.ts'
import { itemMigrations } from './items.ts'

describe('starting on a data directory', () => {
  let directory: string
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
  })
  afterEach(() => remove())

  const refusal = async (path: string) => {
    const error = await openSqlite({ directory: path, migrations: itemMigrations }).catch((reason) => reason)
    expect(error).toBeInstanceOf(DatabaseStartError)
    return error.message as string
  }

  it('makes the directory when it is missing', async () => {
    const database = await openSqlite({ directory: join(directory, 'new', 'data'), migrations: itemMigrations })
    await database.close()
  })

  it('is refused while another process has it, and allowed after that was killed', async () => {
    const other = await startChild(directory)
    const message = await refusal(directory)
    expect(message).toBe(
      `The data directory ${directory} is in use by another Shopwright process (pid ${other.pid}): stop that one, ` +
        'set DATA_DIR to another directory, or set DATABASE_URL to a PostgreSQL database to run several replicas.',
    )
    await other.kill()
    await (await openSqlite({ directory, migrations: itemMigrations })).close()
  })

  it('is allowed again after a start that failed', async () => {
    await expect(openSqlite({ directory, migrations: [{ name: '1', sql: 'nonsense' }] })).rejects.toThrow('nonsense')
    await (await openSqlite({ directory, migrations: itemMigrations })).close()
  })

  it('tells of a file that is no database', async () => {
    await writeFile(join(directory, 'shopwright.db'), 'x'.repeat(8_192))
    expect(await refusal(directory)).toMatch(/shopwright\.db is not a usable SQLite database .*restore a backup/)
  })

  it('tells of a file in the place of the directory', async () => {
    await writeFile(join(directory, 'file'), '')
    expect(await refusal(join(directory, 'file'))).toMatch(/file is a file, or is inside one: set DATA_DIR/)
    expect(await refusal(join(directory, 'file', 'data'))).toMatch(/is a file, or is inside one: set DATA_DIR/)
  })

  it('tells of a directory that this user may not use', async () => {
    const closed = join(directory, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o500)
    expect(await asOrdinaryUser(directory, () => refusal(closed))).toMatch(/closed.* set DATA_DIR to another directory/)
    expect(await asOrdinaryUser(directory, () => refusal(join(closed, 'data')))).toMatch(/cannot be used by this user/)
  })

  it('tells of a database that another user owns, which this one may only read', async () => {
    await (await openSqlite({ directory, migrations: itemMigrations })).close()
    const path = join(directory, 'shopwright.db')
    await chmod(path, 0o444)
    const said = await asOrdinaryUser(directory, async () => {
      await chmod(directory, 0o700)
      return refusal(directory)
    })
    expect(said).toContain(`${path} cannot be opened for writing; it belongs to user ${process.getuid?.()}`)
    expect(said).toContain('chown -R')
  })

  it('tells of a disk that is mounted read-only', () => {
    const error = startError(Object.assign(new Error('mkdir'), { code: 'EROFS' }), directory)
    expect((error as Error).message).toMatch(/is on a disk that is mounted read-only: mount it for writing/)
  })

  it('tells of a full or failing disk', () => {
    for (const [errcode, said] of [
      [13, 'is full'],
      [10, 'fails when read or written'],
      [778, 'fails when'],
    ] as const) {
      const error = startError(Object.assign(new Error('sqlite'), { errcode }), directory)
      expect((error as Error).message).toMatch(said)
    }
  })
})

/** Root may use any directory, so a test that runs as root drops its privileges temporarily. */
async function asOrdinaryUser<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work()
  await chown(directory, 65_534, 65_534)
  process.seteuid!(65_534)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

describe('starting on a DATABASE_URL', () => {
  const refusal = async (databaseUrl: string) => {
    const error = await openDatabase({ databaseUrl, directory: '', migrations: [] }).catch((reason) => reason)
    expect(error).toBeInstanceOf(DatabaseStartError)
    expect(`${error.message} ${error.cause}`).not.toContain('hunter2')
    return error.message as string
  }

  it('tells of what is no URL of PostgreSQL', async () => {
    expect(await refusal('mysql://me:hunter2@localhost/shop')).toMatch('is not a URL of the form postgres://')
    expect(await refusal('hunter2')).toMatch('is not a URL of the form postgres://')
  })

  it('tells of a server that does not answer', async () => {
    expect(await refusal('postgres://me:hunter2@127.0.0.1:9/shop')).toMatch(
      'No PostgreSQL server answers at 127.0.0.1:9',
    )
    expect(await refusal('postgres://me:hunter2@nowhere.invalid/shop')).toMatch('The host nowhere.invalid')
  })

  it.skipIf(!testServerUrl)('tells of tables that another user owns, and this one may only read', async () => {
    const { url, remove } = await freshPostgresUrl()
    const owner = new Client({ connectionString: url })
    await owner.connect()
    const name = `reader_${Date.now()}`
    await owner.query('create table migrations (name text)')
    await owner.query(`create role ${name} login password 'hunter2'`)
    await owner.query(`grant usage, create on schema public to ${name}`)
    await owner.query(`grant select on migrations to ${name}`)
    const reader = Object.assign(new URL(url), { username: name, password: 'hunter2' })
    const client = new Client({ connectionString: reader.href })
    await client.connect()
    const error = await client.query('insert into migrations values (null)').catch((reason) => reason)
    const { message } = startErrorOfPostgres(error, reader.href) as Error
    expect(message).toMatch('may not write the table migrations: make it the owner of all tables and sequences')
    expect(message).not.toContain('hunter2')
    await client.end()
    await owner.query(`drop owned by ${name}`)
    await owner.query(`drop role ${name}`)
    await owner.end()
    await remove()
  })

  it.skipIf(!testServerUrl)('tells of a database that is not there', async () => {
    const { url, remove } = await freshPostgresUrl()
    await remove()
    const missing = new URL(url)
    missing.password = 'hunter2'
    expect(await refusal(missing.href)).toMatch(`has no database "${missing.pathname.slice(1)}": create it`)
  })
})
