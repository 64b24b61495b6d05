import { type Connection, type FieldDef, Query } from 'pg'
import type { Bindable } from '../parameters.ts'
import type { Statement } from './statements.ts'
import { getTypeParser } from './types.ts'

export interface Answer<Row> {
  rows: Row[]
  /** The command tag of PostgreSQL without its numbers, such as `SELECT`, `INSERT` or `COMMIT`. */
  command: string
  count: number
}

interface Column {
  name: string
  read(text: string): unknown
}

/**
 * The result columns of a named statement; empty if it returns no rows. `under way`: the statement is being used for the first
 * time, so other uses are sent unnamed. `failed`: the first use failed, so the statement may or may not be prepared.
 */
type Prepared = readonly Column[] | 'under way' | 'failed'

const preparedOn = new WeakMap<Connection, Map<string, Prepared>>()

interface PendingStatement {
  statement: Statement
  /** Whether this execution also prepares the statement under its name. */
  first: boolean
  /** Undefined until PostgreSQL has described the result. */
  columns: readonly Column[] | undefined
  rows: Record<string, unknown>[]
  unreadable: unknown
  answer(given: Answer<unknown>): void
  refuse(error: unknown): void
}

/**
 * Sends several statements to PostgreSQL in one write and with one Sync message. By itself, `pg` would send one write and one
 * Sync for each statement. After an error, the server skips the remaining statements, and they are rejected with the same error.
 */
export class Batch extends Query {
  readonly #statements: PendingStatement[] = []
  #answered = 0
  #prepared: Map<string, Prepared> = new Map()
  /** Called at the end of the batch. `pg` replaces it with a callback that stops the timer of `query_timeout`. */
  callback: (error: unknown) => void = () => {}

  constructor() {
    super('')
  }

  get size(): number {
    return this.#statements.length
  }

  add<Row>(statement: Statement): Promise<Answer<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Row>>()
    const answer: PendingStatement['answer'] = (given) => resolve(given as Answer<Row>)
    this.#statements.push({
      statement,
      first: false,
      columns: undefined,
      rows: [],
      unreadable: undefined,
      answer,
      refuse: reject,
    })
    return promise
  }

  // The library `pg` calls the methods below.

  override submit = (connection: Connection): void => {
    this.#prepared = preparedOn.get(connection) ?? new Map()
    preparedOn.set(connection, this.#prepared)
    connection.stream.cork()
    for (const pending of this.#statements) this.#write(connection, pending)
    connection.sync()
    connection.stream.uncork()
  }

  #write(connection: Connection, pending: PendingStatement): void {
    const { name, text, values } = pending.statement
    const known = name === undefined ? 'under way' : this.#prepared.get(name)
    if (name !== undefined && (known === undefined || known === 'failed')) {
      if (known === 'failed') connection.close({ type: 'S', name }, true)
      this.#prepared.set(name, 'under way')
      pending.first = true
    }
    const columns = Array.isArray(known) ? known : undefined
    pending.columns = columns
    const statement = columns || pending.first ? name : ''
    if (!columns) connection.parse({ name: statement ?? '', text, types: [] }, true)
    connection.bind({ statement, values: values.map(asText) }, true)
    if (!columns) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#current.columns = fields.map(columnOf)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const current = this.#current
    try {
      current.rows.push(rowOf(current.columns ?? [], fields))
    } catch (error) {
      current.unreadable = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { first, statement, columns = [], rows, unreadable, answer, refuse } = this.#current
    if (first) this.#prepared.set(statement.name ?? '', columns)
    this.#answered++
    const words = text.split(' ')
    if (unreadable !== undefined) refuse(unreadable)
    else answer({ rows, command: words[0] ?? '', count: Number(words.at(-1)) || 0 })
  }

  handleError(error: unknown): void {
    for (const { first, statement, refuse } of this.#statements.slice(this.#answered)) {
      if (first) this.#prepared.set(statement.name ?? '', 'failed')
      refuse(error)
    }
    this.#answered = this.#statements.length
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  get #current(): PendingStatement {
    const pending = this.#statements[this.#answered]
    if (!pending) throw new Error('PostgreSQL answered more than it was asked.')
    return pending
  }
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let index = 0
  for (const { name, read } of columns) {
    const text = fields[index++] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}

function columnOf({ name, dataTypeID }: FieldDef): Column {
  return { name, read: getTypeParser(dataTypeID) }
}

function asText(value: Bindable): string | Buffer | null {
  if (typeof value === 'string' || value === null) return value
  return value instanceof Uint8Array ? Buffer.from(value) : String(value)
}
