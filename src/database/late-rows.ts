import type { Kysely } from 'kysely'
import { insertSeveral } from './compile-once.ts'
import type { RememberedRows } from './remembered.ts'

type Row = Record<string, unknown>

/** So many are written although the program goes on. */
const MOST_ROWS = 500
/** Rows of one statement: few numbers, so that few statements are prepared. */
const PORTIONS = [64, 16, 8, 4, 2, 1]
/** What they are rows of. Every call that changes something writes some, and few programs read them. */
const TABLE = 'events'
const MENTION = /\bevents\b/

/** A moment to which they can go back. */
interface Mark {
  readonly rows: Row[]
  readonly count: number
}

/** Events that a program's calls have made: they are written together at its end, or before a statement that names their table. */
export class LateRows {
  readonly #write: (rows: Row[]) => Promise<unknown>
  #rows: Row[] = []

  /** `write` has all statements on their way when it returns. */
  constructor(write: (rows: Row[]) => Promise<unknown>) {
    this.#write = write
  }

  add(rows: readonly Row[]): void {
    this.#rows.push(...rows)
  }

  /** To be called before each statement. A failure rejects what follows it, as that of every statement does. */
  before(sql: string): void {
    if (this.#rows.length === 0 || (this.#rows.length < MOST_ROWS && !MENTION.test(sql))) return
    this.write().catch(() => {})
  }

  async write(): Promise<void> {
    const rows = this.#rows
    // A mark may hold the others.
    this.#rows = []
    await this.#write(rows)
  }

  mark(): Mark {
    return { rows: this.#rows, count: this.#rows.length }
  }

  /** What was added since is undone; what was written since is undone, too, and waits again if it is older. */
  rewind({ rows, count }: Mark): void {
    rows.length = count
    this.#rows = rows
  }
}

/** Events made through the handles of this memory are put off, and written through `db`, which is one of them. */
export function lateRowsOf<Tables>(remembered: RememberedRows, db: Kysely<Tables>): LateRows {
  const late = new LateRows((rows) => insertAll(db, rows))
  remembered.late = late
  return late
}

async function insertAll<Tables>(db: Kysely<Tables>, rows: readonly Row[]): Promise<void> {
  const table = TABLE as keyof Tables & string
  const sent: Promise<void>[] = []
  let done = 0
  for (const portion of PORTIONS)
    for (; rows.length - done >= portion; done += portion)
      sent.push(insertSeveral(db, table, rows.slice(done, done + portion)))
  await Promise.all(sent)
}
