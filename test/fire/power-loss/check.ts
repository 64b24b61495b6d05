import { join } from 'node:path'
import { loadSecret } from '../../../src/access/secret.ts'
import { PRODUCT } from '../../../src/assembly.ts'
import { openMoment } from '../../../src/database/open-moment.ts'
import { openSqlite } from '../../../src/database/sqlite.ts'
import { verify } from '../../../src/integrity/verify.ts'
import { allMigrations } from '../../../src/migrations.ts'
import type { Tables } from '../../../src/resources/tables.ts'
import type { Effect } from './client.ts'
import type { Recording } from './record.ts'

const migrations = await allMigrations()
const { references, storedFiles } = PRODUCT
const jobs = PRODUCT.jobs.map(({ name }) => name)

type Row = Record<string, unknown>

/** Opens what a disk held after a cut, as a start does, and returns what is wrong with it, a sentence each. */
export async function problemsOf(root: string, recording: Recording, line: number): Promise<string[]> {
  const directory = join(root, 'data')
  const problems: string[] = []
  try {
    // SQLite itself goes through what the log has; so does what a start reads first.
    const database = await openSqlite<Tables>({ directory, migrations })
    await loadSecret(database, directory, undefined).finally(() => database.close())
    const moment = await openMoment<Tables>({ databaseUrl: undefined, directory, migrations })
    const again = () => openMoment<Tables>({ databaseUrl: undefined, directory, migrations })
    try {
      const { findings } = await verify(moment, { directory, jobs, references, storedFiles, again, hashes: true })
      for (const { severity, problem, places } of findings)
        if (severity === 'wrong') problems.push(`${problem}: ${places.join('; ')}`)
      const find = (table: string, id: string) =>
        moment.db
          .selectFrom(table as 'files')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst() as Promise<Row | undefined>
      problems.push(...(await lostOf(recording, line, find)))
      if (line >= recording.greeted) {
        const token = await moment.db.selectFrom('api_tokens').select('id').executeTakeFirst()
        if (!token) problems.push('The token that the first start printed is gone')
      }
      const halves = await moment.db
        .selectFrom('products')
        .select('seo_title')
        .where('seo_title', 'like', 'Pair %')
        .execute()
      problems.push(...halfPrograms(halves.map(({ seo_title }) => seo_title!)))
    } finally {
      await moment.close()
    }
  } catch (error) {
    problems.push(`It cannot be opened: ${error instanceof Error ? error.stack : error}`)
  }
  return problems
}

/** Of each row, the last state that was acknowledged, or the next one, which may have been on its way. */
async function lostOf(
  { acknowledged }: Recording,
  line: number,
  find: (table: string, id: string) => Promise<Row | undefined>,
): Promise<string[]> {
  const lost: string[] = []
  for (const client of acknowledged) {
    const states = new Map<string, { known: Effect | null; possible: Effect[] }>()
    for (const { effects, line: at } of client)
      for (const effect of effects) {
        const key = `${effect.table} ${effect.id}`
        const state = states.get(key) ?? { known: null, possible: [] }
        states.set(
          key,
          at <= line ? { known: effect, possible: [] } : { ...state, possible: [...state.possible, effect] },
        )
      }
    for (const [key, { known, possible }] of states) {
      if (known === null) continue
      const row = await find(known.table, known.id)
      if (![known, ...possible].some((effect) => holds(effect, row)))
        lost.push(
          `Acknowledged and lost: ${key} ${JSON.stringify(known.row)}, found ${row ? 'another state' : 'no row'}`,
        )
    }
  }
  return lost
}

function holds({ row: wanted }: Effect, row: Row | undefined): boolean {
  if (wanted === null) return row === undefined
  return row !== undefined && Object.entries(wanted).every(([column, value]) => row[column] === value)
}

function halfPrograms(titles: string[]): string[] {
  const all = new Set(titles)
  const other = (title: string) => title.slice(0, -1) + (title.endsWith('1') ? '2' : '1')
  return titles.filter((title) => !all.has(other(title))).map((title) => `Half of a program: ${title}`)
}
