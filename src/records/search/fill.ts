import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import type { Scope, Unit } from '../../database/database.ts'
import type { SearchProgress } from '../../database/system-tables.ts'
import type { Tables } from '../../resources/tables.ts'
import { anyTable } from '../any-table.ts'
import { entryRows, insertEntries } from './entries.ts'
import { searchTextOf } from './text.ts'

/** Rows that one transaction reads, and entries that one statement writes. */
const STEP = 100
const ENTRIES_AT_ONCE = 100
/** Between two steps everybody else has the embedded engine's writer for at least this long. */
const PAUSE_MS = 10
/** A server that stops waits for one round. */
const ROUND_MS = 5_000

type Place = Pick<SearchProgress, 'after_account' | 'after_id'>
type RowOf = Record<string, unknown> & { account_id: string; id: string }

/** One way in which the rows of a noun are made to be found. */
interface Way {
  /** Its name in `search_progress`. */
  kind: string
  noun: Noun
  columns: readonly string[]
  /** Makes these rows be found. */
  store(db: Db, rows: RowOf[]): Promise<void>
}

/**
 * Makes rows be found that were there before the search over everything, or before it found them as it does now. Each step is a transaction that notes how far it has
 * come, so that a crash or a stop repeats nothing; new and changed rows need it not.
 */
export class SearchFill {
  readonly #database: Scope<Tables>
  readonly #ways: readonly Way[]
  #done = false

  constructor(database: Scope<Tables>, nouns: readonly Noun[]) {
    this.#database = database
    this.#ways = nouns.flatMap((noun) => [...byWords(noun), ...byText(noun)])
  }

  /** As far as one round goes. True when all rows are found; from then on it asks the database nothing. */
  async round(withinMs = ROUND_MS): Promise<boolean> {
    const until = performance.now() + withinMs
    for (const way of this.#done ? [] : this.#ways)
      while (await this.#step(way)) {
        if (performance.now() > until) return false
        await sleep(PAUSE_MS)
      }
    this.#done = true
    return true
  }

  /** True when there may be more rows. */
  #step(way: Way): Promise<boolean> {
    return this.#database.transaction(
      async ({ db }) => {
        const place = await placeOf(db, way)
        if (place === null) return false
        const rows = await rowsAfter(db, way, place)
        await way.store(db, rows)
        const last = rows.at(-1)
        await note(db, way, {
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

/** By the search over everything. */
function byWords(noun: Noun): Way[] {
  const store = async (db: Db, rows: RowOf[]) => {
    const entries = rows.flatMap((row) => entryRows({ accountId: row.account_id }, noun, row))
    for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE)
      await insertEntries({ db }, entries.slice(start, start + ENTRIES_AT_ONCE))
  }
  return noun.foundBy.length > 0 ? [{ kind: noun.name, noun, columns: noun.foundBy, store }] : []
}

/** By the `query` of its list, without accents. */
function byText(noun: Noun): Way[] {
  const store = async (db: Db, rows: RowOf[]) => {
    for (const { account_id, id, search_text, ...row } of rows) {
      const text = searchTextOf(noun, row)
      if (text === search_text) continue
      const found = anyTable({ db }).updateTable(noun.plural).set({ search_text: text })
      await found.where('account_id', '=', account_id).where('id', '=', id).execute()
    }
  }
  const columns = [...noun.searchable, 'search_text']
  return noun.searchable.length > 0 ? [{ kind: `${noun.name} text`, noun, columns, store }] : []
}

/** The last row that is found; null where all are. */
async function placeOf(db: Db, { kind }: Way): Promise<Place | null> {
  const progress = await db.selectFrom('search_progress').selectAll().where('kind', '=', kind).executeTakeFirst()
  return progress?.done ? null : (progress ?? { after_account: '', after_id: '' })
}

async function rowsAfter(db: Kysely<Tables>, { noun, columns }: Way, place: Place): Promise<RowOf[]> {
  const all = sql.join(['account_id', 'id', ...columns].map((name) => sql.ref(name)))
  const { rows } = await sql<RowOf>`
    select ${all} from ${sql.table(noun.plural)} where (account_id, id) > (${place.after_account}, ${place.after_id})
    order by account_id, id limit ${sql.lit(STEP)}`.execute(db)
  return rows
}

async function note(db: Db, { kind }: Way, progress: Omit<SearchProgress, 'kind'>): Promise<void> {
  await db
    .insertInto('search_progress')
    .values({ kind, ...progress })
    .onConflict((known) => known.column('kind').doUpdateSet(progress))
    .execute()
}
