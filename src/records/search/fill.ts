import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Noun } from '../../contract/declarations/noun.ts'
import type { SearchProgress } from '../../database/system-tables.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { anyTable } from '../any-table.ts'
import { entryRows, insertEntries } from './entries.ts'
import { searchTextOf } from './text.ts'

/** The maximum numbers of rows that one transaction reads and of entries that one statement writes. */
const STEP = 100
const ENTRIES_AT_ONCE = 100
/** The minimum pause between two steps, so that other transactions can use the embedded engine's writer lock. */
const PAUSE_MS = 10
/** The duration of a round, for which a server that stops may have to wait. */
const ROUND_MS = 5_000

type FillPosition = Pick<SearchProgress, 'after_account' | 'after_id'>
type IndexedRow = Record<string, unknown> & { account_id: string; id: string }

interface SearchIndex {
  kind: string
  noun: Noun
  columns: readonly string[]
  store(db: Db, rows: IndexedRow[]): Promise<void>
}

/**
 * Indexes the rows of earlier releases, which had no search index or another form of it. Each step is a transaction that stores
 * its progress, so that nothing is repeated after a restart. New and changed rows are indexed when they are written.
 */
export class SearchFill {
  readonly #database: ShopScope
  readonly #indexes: readonly SearchIndex[]
  #done = false

  constructor(database: ShopScope, nouns: readonly Noun[]) {
    this.#database = database
    this.#indexes = nouns.flatMap((noun) => [...byWords(noun), ...byText(noun)])
  }

  /** Indexes rows for about `withinMs`. Returns true when all rows are indexed, and makes no queries from then on. */
  async round(withinMs = ROUND_MS): Promise<boolean> {
    const until = performance.now() + withinMs
    while (!this.#done) {
      this.#done = await this.#step()
      if (performance.now() > until) break
      await sleep(PAUSE_MS)
    }
    return this.#done
  }

  #step(): Promise<boolean> {
    return this.#database.transaction(
      async ({ db }) => {
        const positions = await progressByKind(db)
        let left = STEP
        for (const searchIndex of this.#indexes) {
          const position = positions.get(searchIndex.kind) ?? { after_account: '', after_id: '', done: 0 }
          if (position.done === 1) continue
          const rows = await rowsAfter(db, searchIndex, position, left)
          await searchIndex.store(db, rows)
          const { account_id, id } = rows.at(-1) ?? { account_id: position.after_account, id: position.after_id }
          const done = rows.length < left ? 1 : 0
          await note(db, searchIndex, { after_account: account_id, after_id: id, done })
          left -= rows.length
          if (left === 0) return false
        }
        return true
      },
      { lowPriority: true },
    )
  }
}

function byWords(noun: Noun): SearchIndex[] {
  const store = async (db: Db, rows: IndexedRow[]) => {
    const entries = rows.flatMap((row) => entryRows({ accountId: row.account_id }, noun, row))
    for (let start = 0; start < entries.length; start += ENTRIES_AT_ONCE)
      await insertEntries({ db }, entries.slice(start, start + ENTRIES_AT_ONCE))
  }
  return noun.foundBy.length > 0 ? [{ kind: noun.name, noun, columns: noun.foundBy, store }] : []
}

/** Returns the index for the list parameter `query` of a noun, which ignores accents. */
function byText(noun: Noun): SearchIndex[] {
  const store = async (db: Db, rows: IndexedRow[]) => {
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

async function progressByKind(db: Db): Promise<Map<string, SearchProgress>> {
  const known = await db.selectFrom('search_progress').selectAll().execute()
  return new Map(known.map((position) => [position.kind, position]))
}

async function rowsAfter(
  db: Db,
  { noun, columns }: SearchIndex,
  position: FillPosition,
  most: number,
): Promise<IndexedRow[]> {
  const all = sql.join(['account_id', 'id', ...columns].map((name) => sql.ref(name)))
  const { rows } = await sql<IndexedRow>`
    select ${all} from ${sql.table(noun.plural)} where (account_id, id) > (${position.after_account}, ${position.after_id})
    order by account_id, id limit ${sql.lit(most)}`.execute(db)
  return rows
}

async function note(db: Db, { kind }: SearchIndex, progress: Omit<SearchProgress, 'kind'>): Promise<void> {
  await db
    .insertInto('search_progress')
    .values({ kind, ...progress })
    .onConflict((known) => known.column('kind').doUpdateSet(progress))
    .execute()
}
