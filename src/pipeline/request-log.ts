import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { cut, timestampOf } from '../contract/values/values.ts'
import { insertOne } from '../database/compile-once.ts'
import type { Scope } from '../database/database.ts'
import type { Db, Tables } from '../resources/tables.ts'

export interface AnsweredRequest {
  id: string
  caller: Caller
  transport: 'rest' | 'mcp'
  method: string
  /** The path without the query, which may contain private data. */
  path: string
  /** The id of the operation, or the method and tool of an MCP request. */
  operation: string | null
  status: number
  error: Record<string, unknown> | null
  durationMs: number
}

/** How long requests are buffered before they are written together. A crash loses the buffered requests. */
const GATHER_MS = 1_000
/** The maximum per account and flush. Of other requests, only the number is logged. Failed requests have a separate limit. */
const MOST_KEPT = 100
const MOST_FAILED = 100
const MOST_ROWS = 2_000
/** The number of requests that are kept for each account. Each process may exceed it by `TRIM_EVERY`. */
const MOST_OF_ACCOUNT = 10_000
const TRIM_EVERY = 500
const LONGEST_PATH = 300
const LONGEST_MESSAGE = 500
const LONGEST_OPERATION = 200
const MOST_PARAMETERS = 20
const LONGEST_PARAMETER = 100

type ApiRequestRow = Tables['api_requests']

interface BufferedRequests {
  rows: ApiRequestRow[]
  failed: number
}

/** Keeps the latest requests of each account. Callers never wait: requests are buffered and written about once a second. */
export class RequestLog {
  readonly #database: Scope<Tables>
  readonly #onFailure: (error: unknown) => void
  #gathered = new Map<string, BufferedRequests>()
  #count = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  /** The number of rows that this process has written for each account since it last deleted the account's old rows. */
  readonly #sinceTrim = new Map<string, number>()

  constructor(database: Scope<Tables>, onFailure: (error: unknown) => void) {
    this.#database = database
    this.#onFailure = onFailure
  }

  record(request: AnsweredRequest): void {
    const { accountId } = request.caller
    const own = this.#gathered.get(accountId) ?? { rows: [], failed: 0 }
    const failed = request.status >= 400
    if (!this.#hasRoom(own, failed)) {
      const last = own.rows.at(-1)
      if (last) last.left_out += 1
      return
    }
    own.rows.push(rowOf(request))
    if (failed) own.failed += 1
    this.#count += 1
    this.#gathered.set(accountId, own)
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS).unref()
  }

  async settled(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #hasRoom({ rows, failed }: BufferedRequests, isFailure: boolean): boolean {
    if (this.#count >= MOST_ROWS) return false
    return isFailure ? failed < MOST_FAILED : rows.length - failed < MOST_KEPT
  }

  #flush(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    const gathered = this.#gathered
    this.#gathered = new Map()
    this.#count = 0
    if (gathered.size > 0) this.#writing = this.#writing.then(() => this.#write(gathered)).catch(this.#onFailure)
  }

  async #write(gathered: Map<string, BufferedRequests>): Promise<void> {
    const rows = [...gathered.values()].flatMap((own) => own.rows)
    await this.#database.transaction(({ db }) => insertAll(db, rows), { lowPriority: true })
    for (const [accountId, own] of gathered) await this.#trim(accountId, own.rows.length)
  }

  async #trim(accountId: string, written: number): Promise<void> {
    const since = (this.#sinceTrim.get(accountId) ?? 0) + written
    this.#sinceTrim.set(accountId, since % TRIM_EVERY)
    if (since < TRIM_EVERY) return
    const own = this.#database.read.selectFrom('api_requests').select('id').where('account_id', '=', accountId)
    const first = await own.orderBy('id', 'desc').offset(MOST_OF_ACCOUNT).limit(1).executeTakeFirst()
    if (first) await this.#database.transaction(({ db }) => deleteUpTo(db, accountId, first.id), { lowPriority: true })
  }
}

/**
 * Inserts rows one by one with one compiled statement, because each number of rows would need a statement of its own. Omits
 * accounts that are being deleted.
 */
async function insertAll(db: Db, rows: ApiRequestRow[]): Promise<void> {
  const doomed = new Set((await db.selectFrom('account_deletions').select('id').execute()).map(({ id }) => id))
  for (const row of rows) if (!doomed.has(row.account_id)) await insertOne(db, 'api_requests', { ...row })
}

async function deleteUpTo(db: Db, accountId: string, id: string): Promise<void> {
  await db.deleteFrom('api_requests').where('account_id', '=', accountId).where('id', '<=', id).execute()
}

function rowOf(request: AnsweredRequest): ApiRequestRow {
  const { caller, error } = request
  return {
    account_id: caller.accountId,
    id: request.id,
    transport: request.transport,
    method: request.method,
    path: storable(request.path, LONGEST_PATH),
    operation: request.operation === null ? null : storable(request.operation, LONGEST_OPERATION),
    status: request.status,
    error_code: typeof error?.code === 'string' ? error.code : null,
    error_message: typeof error?.message === 'string' ? storable(error.message, LONGEST_MESSAGE) : null,
    parameters: JSON.stringify(parametersOf(error)),
    caller: callerId(caller),
    user_id: isUser(caller) ? caller.userId : null,
    duration_ms: Math.max(0, Math.round(request.durationMs)),
    left_out: 0,
    created_at: timestampOf(new Date()),
  }
}

/** Returns the names of the invalid parameters, but not their values, which may be private. */
function parametersOf(error: Record<string, unknown> | null): string[] {
  if (error === null) return []
  const named = typeof error.param === 'string' ? [error.param] : []
  const names = new Set([...named, ...Object.keys((error.errors as object | undefined) ?? {})])
  return [...names].slice(0, MOST_PARAMETERS).map((name) => storable(name, LONGEST_PARAMETER))
}

/** Replaces NUL characters and lone surrogates, which PostgreSQL cannot store. */
function storable(text: string, length: number): string {
  return cut(text.replaceAll('\0', '\u2400').toWellFormed(), length)
}
