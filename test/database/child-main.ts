import { writeSync } from 'node:fs'
import { openSqlite } from '../../src/database/sqlite.ts'
import { type ItemTables, insertItem, itemMigrations } from './items.ts'

const TASKS = 32
const [directory = '', mode, prefix = ''] = process.argv.slice(2)

const database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
writeSync(1, 'ready\n')
if (mode === 'write') await Promise.all(Array.from({ length: TASKS }, (_, task) => writeForEver(`${prefix}-${task}`)))
else setInterval(() => {}, 60_000)

/** Writes two rows per transaction, so that a partial transaction would be visible. */
async function writeForEver(name: string): Promise<never> {
  for (let count = 0; ; count++) {
    const id = `${name}-${count}`
    await database.transaction(async ({ db }) => {
      await insertItem(db, `${id}-first`)
      await insertItem(db, `${id}-second`)
    })
    writeSync(1, `${id}\n`)
  }
}
