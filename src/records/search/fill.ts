import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import type { Scope, Unit } from '../../database/database.ts'
import type { SearchProgress } from '../../database/system-tables.ts'
import type { Tables } from '../../resources/tables.ts'
import { entryRows, insertEntries } from './entries.ts'

/** Rows that one transaction reads, and entries that one statement writes. */
const STEP = 100
const ENTRIES_AT_ONCE = 100
/** Between two steps everybody else has the embedded engine's writer for at least this long. */
const PAUSE_MS = 10
/** A server that stops waits for one round. */
const ROUND_MS = 5_000

type Place = Pick<SearchProgress, 'after_account' | 'after_id'>
type RowOf = Record<string, unknown> & { account_id: string; id: string }

/**
 * Makes rows be found that were there before the search over everything. Each step is a transaction that notes how far it has
 * come, so that a crash or a stop repeats nothing; new and changed rows need it not.
 */
export class SearchFill {
  readonly #database: Scope<Tables>
  readonly #nouns: readonly Noun[]
  #done = false

  constructor(database: Scope<Tables>, nouns: readonly Noun[]) {
    this.#database = database
    this.#nouns = nouns.filter(({ foundBy }) => foundBy.length > 0)
  }

  /** As far as one round goes. True when all rows are found; from then on it asks the database nothing. */
  async round(withinMs = ROUND_MS): Promise<boolean> {
    const until = performance.now() + withinMs
    for (const noun of this.#done ? [] : this.#nouns)
      while (await this.#step(noun)) {
        if (performance.now() > until) return false
        await sleep(PAUSE_MS)
      }
    this.#done = true
    return true
  }

  /** True when the noun may have more rows. */
  #step(noun: Noun): Promise<boolean> {
    return this.#database.transaction(
      async ({ db }) => {
        const place = await placeOf(db, noun)
        if (place === null) return false
        const rows = await rowsAfter(db, noun, place)
        const entries = rows.flatMap((row) => entryRows({ accountId: row.account_id }, noun, row))
        for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE)
          await insertEntries({ db }, entries.slice(start, start + ENTRIES_AT_ONCE))
        const last = rows.at(-1)
        await note(db, noun, {
          after_account: last?.account_id ?? place.after_account,
          after_id: last?.id ?? place.after_id,
          done: rows.length < STEP ? 1 : 0,
        })
        return rows.length === STEP
      },
      { patient: true },
    )
  }
}

type Db = Unit<Tables>['db']

/** The last row that is found; null where all are. */
async function placeOf(db: Db, { name }: Noun): Promise<Place | null> {
  const progress = await db.selectFrom('search_progress').selectAll().where('kind', '=', name).executeTakeFirst()
  return progress?.done ? null : (progress ?? { after_account: '', after_id: '' })
}

async function rowsAfter(db: Kysely<Tables>, { plural, foundBy }: Noun, place: Place): Promise<RowOf[]> {
  const columns = sql.join(['account_id', 'id', ...foundBy].map((name) => sql.ref(name)))
  const { rows } = await sql<RowOf>`
    select ${columns} from ${sql.table(plural)} where (account_id, id) > (${place.after_account}, ${place.after_id})
    order by account_id, id limit ${sql.lit(STEP)}`.execute(db)
  return rows
}

async function note(db: Db, { name }: Noun, progress: Omit<SearchProgress, 'kind'>): Promise<void> {
  await db
    .insertInto('search_progress')
    .values({ kind: name, ...progress })
    .onConflict((known) => known.column('kind').doUpdateSet(progress))
    .execute()
}
