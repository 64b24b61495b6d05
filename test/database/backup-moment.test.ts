import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { makeBackup } from '../../src/backup/make.ts'
import { restoreBackup } from '../../src/backup/restore.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { allMigrations } from '../../src/migrations.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { freshDirectory } from './engines.ts'

const COUNTERS = 7
const ROWS = 40
const ROUNDS = 5

/** Returns the expected counters after `commits` commits. Each commit increments the next counter and moves a row to it. */
const countersAfter = (commits: number) =>
  Array.from({ length: COUNTERS }, (_, n) => Math.floor((commits + COUNTERS - 1 - n) / COUNTERS))
/** Returns the number of the last commit that wrote each tag. */
const tagsAfter = (commits: number) =>
  Array.from({ length: Math.min(ROWS, commits) }, (_, row) => row + ROWS * Math.floor((commits - 1 - row) / ROWS) + 1)

describe('a backup that is made while commits come', () => {
  it('restored, equals one moment row by row', async () => {
    const { directory, remove } = await freshDirectory()
    const migrations = await allMigrations()
    const data = join(directory, 'data')
    await mkdir(directory, { recursive: true })
    const database = await openSqlite<Tables>({ directory: data, migrations })
    let [commits, over] = [0, false]
    const commit = async () => {
      await database.transaction(async ({ db }) => {
        const next = commits + 1
        const counter = {
          account_id: 'acct',
          name: `c${commits % COUNTERS}`,
          value: Math.floor(commits / COUNTERS) + 1,
        }
        const conflict = { account_id: 'acct', name: counter.name }
        await db.deleteFrom('counters').where('account_id', '=', 'acct').where('name', '=', conflict.name).execute()
        await db.insertInto('counters').values(counter).execute()
        const name = `tag${String(commits % ROWS).padStart(3, '0')}`
        await db.deleteFrom('settings').where('name', '=', name).execute()
        await db
          .insertInto('settings')
          .values({ name, value: `${next} ${'x'.repeat(5_000)}` })
          .execute()
      })
      commits += 1
    }
    const writing = (async () => {
      while (!over) await commit()
    })()
    const moments: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(directory, `${round}.tar`)
      const before = commits
      await makeBackup({ directory: data, engine: 'sqlite' }, file)
      const after = commits
      const copy = join(directory, `copy${round}`)
      await restoreBackup(file, { directory: copy, engine: 'sqlite', migrations })
      moments.push(requireMoment(copy, before, after))
      await rm(copy, { recursive: true })
    }
    over = true
    await writing
    await database.close()
    await remove()
    expect(new Set(moments).size).toBe(ROUNDS)
  })
})

/** Returns the number of commits in a copy, after checking that every row has its state of that commit. */
function requireMoment(directory: string, before: number, after: number): number {
  const copy = new DatabaseSync(join(directory, 'shopwright.db'))
  const counters = copy.prepare('select value from counters order by name').all()
  const values = counters.map(({ value }) => Number(value))
  const commits = values.reduce((sum, value) => sum + value, 0)
  expect(commits).toBeGreaterThanOrEqual(before)
  expect(commits).toBeLessThanOrEqual(after + 1)
  expect(values).toEqual(countersAfter(commits).filter((value) => value > 0))
  const tags = copy.prepare(`select value from settings where name like 'tag%' order by name`).all()
  expect(tags.map(({ value }) => Number(String(value).split(' ')[0]))).toEqual(tagsAfter(commits))
  copy.close()
  return commits
}
