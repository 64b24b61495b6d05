import { type CompiledQuery, type QueryResult, SelectQueryNode } from 'kysely'
import { type Room, sizeOf } from './memory-room.ts'

type Rows = Record<string, unknown>
type Found = Promise<QueryResult<unknown>>

/**
 * What the queries of one transaction have found. All of them are of one moment, so the same query with the same values would find the
 * same, until the transaction writes to a table that its text names. Each caller gets rows of its own.
 */
export class QueryMemory {
  readonly #room: Room
  readonly #byText = new Map<string, Map<string, Found>>()

  constructor(room: Room) {
    this.#room = room
  }

  async answer<Row>(query: CompiledQuery, run: () => Promise<QueryResult<Row>>): Promise<QueryResult<Row>> {
    if (!isRepeatable(query)) return run()
    const values = JSON.stringify(query.parameters)
    const known = this.#byText.get(query.sql)?.get(values) as Promise<QueryResult<Row>> | undefined
    const { rows, ...rest } = await (known ?? this.#remember(query.sql, values, run()))
    return { ...rest, rows: rows.map((row) => ({ ...row })) }
  }

  #remember<Row>(text: string, values: string, found: Promise<QueryResult<Row>>): Promise<QueryResult<Row>> {
    const answers = this.#byText.get(text) ?? new Map<string, Found>()
    this.#byText.set(text, answers)
    answers.set(values, found)
    found.then(
      ({ rows }) => this.#room.take(values.length + rows.reduce((sum, row) => sum + sizeOf(row as Rows), 0)),
      () => answers.get(values) === found && answers.delete(values),
    )
    return found
  }

  /** A table may have changed: every query whose text names it is forgotten, also one that only seems to. */
  forgetTable(table: string): void {
    for (const text of this.#byText.keys()) if (text.includes(table)) this.#byText.delete(text)
  }

  forget(): void {
    this.#byText.clear()
  }
}

/** A query that only reads and locks nothing, and whose values can be compared. */
function isRepeatable({ query, parameters }: CompiledQuery): boolean {
  if (!SelectQueryNode.is(query) || query.with !== undefined || query.endModifiers !== undefined) return false
  return parameters.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
}
