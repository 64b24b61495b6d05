import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/database/sqlite.ts'
import { times } from '../support/depth.ts'
import { startChild } from './child.ts'
import { freshDirectory } from './engines.ts'
import { type ItemTables, itemIds, itemMigrations } from './items.ts'

const ROUNDS = times({ gate: 4, deep: 10 })

it('has every acknowledged write, and none by half, after kill -9 under load', { timeout: 60_000 }, async () => {
  const { directory, remove } = await freshDirectory()
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const child = await startChild(directory, 'write', `round${round}`)
    await sleep(100 + 20 * round)
    acknowledged.push(...(await child.kill()))
  }
  const database = await openSqlite<ItemTables>({ directory, migrations: itemMigrations })
  const found = new Set(await itemIds(database.read))
  await database.close()
  await remove()

  expect(acknowledged.length).toBeGreaterThan(ROUNDS)
  expect(acknowledged.filter((id) => !found.has(`${id}-first`))).toEqual([])
  const half = [...found].filter(
    (id) => !found.has(id.replace(/(first|second)$/, (end) => (end === 'first' ? 'second' : 'first'))),
  )
  expect(half).toEqual([])
})
