import { readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StorageError } from '../../src/database/database.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { freshDirectory } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

it('A write is not acknowledged when the files went away under it, and nothing is claimed about it', async () => {
  const { directory, remove } = await freshDirectory()
  const data = join(directory, 'data')
  const database = await openSqlite<ItemTables>({ directory: data, migrations: itemMigrations })
  const error = await database
    .transaction(async ({ db }) => {
      await insertItem(db, 'a')
      await rename(data, join(directory, 'elsewhere'))
    })
    .catch((reason) => reason)
  expect(error.message).toContain('went away')
  expect(error).not.toBeInstanceOf(StorageError)
  await expect(database.transaction(({ db }) => insertItem(db, 'b'))).rejects.toThrow(StorageError)
  await expect(database.ping()).rejects.toThrow(StorageError)
  await rename(join(directory, 'elsewhere'), data)
  await database.transaction(({ db }) => insertItem(db, 'c'))
  expect(await itemIds(database.read)).toEqual(['a', 'c'])
  await database.close()
  await remove()
})

it('A database that was deleted is not made again, neither for a program nor at the end', async () => {
  const { directory, remove } = await freshDirectory()
  const database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
  for (const file of readdirSync(directory)) await rm(join(directory, file))
  const program = database.program({ account: 'acct_1' })
  await expect(program.read.selectFrom('item').selectAll().execute()).rejects.toThrow(StorageError)
  await program.rollback()
  expect(await itemIds(database.read)).toEqual([])
  await database.close()
  expect(readdirSync(directory)).toEqual([])
  await remove()
})
