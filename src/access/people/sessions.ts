import { compileOnce } from '../../database/compile-once.ts'
import type { Db, ShopDatabase } from '../../resources/tables.ts'
import { BoundedMap } from '../../runtime/bounded-map.ts'

export interface SignedIn {
  sessionId: string
  userId: string
  name: string
  email: string
  verified: boolean
}

export interface SessionSummary {
  id: string
  ip_address: string | null
  user_agent: string | null
  created_at: string
  updated_at: string
}

const byToken = compileOnce((db: Db, tokenHash: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.expires_at', 'sessions.updated_at'])
    .select(['users.name', 'users.email', 'users.email_verified'])
    .where('token_hash', '=', tokenHash),
)

/** The minimum time between two writes of a session's last use. */
const NOTED_MS = 10 * 60_000
const MOST_NOTED = 50_000

/** The sessions of signed-in people. Only the hash of each session's token is stored. */
export class Sessions {
  readonly #database: ShopDatabase
  readonly #noted = new BoundedMap<string, number>(MOST_NOTED)
  #noting: Promise<unknown> = Promise.resolve()

  constructor(database: ShopDatabase) {
    this.#database = database
  }

  /** Returns the person of a session, or null if the session has ended. */
  async find(tokenHash: string): Promise<SignedIn | null> {
    const [found] = await byToken(this.#database.read, tokenHash)
    const now = Date.now()
    if (!found || Date.parse(found.expires_at) <= now) return null
    this.#noteUse(found.id, Date.parse(found.updated_at), now)
    const { id: sessionId, user_id: userId, name, email } = found
    return { sessionId, userId, name, email, verified: found.email_verified === 1 }
  }

  list(userId: string): Promise<SessionSummary[]> {
    return this.#database.read
      .selectFrom('sessions')
      .select(['id', 'ip_address', 'user_agent', 'created_at', 'updated_at'])
      .where('user_id', '=', userId)
      .where('expires_at', '>', new Date().toISOString())
      .orderBy('updated_at', 'desc')
      .execute()
  }

  async endOfToken(tokenHash: string): Promise<void> {
    await this.#database.transaction(({ db }) =>
      db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute(),
    )
  }

  async end(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.transaction(({ db }) =>
      db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  }

  async endOthers(userId: string, kept: string): Promise<void> {
    await this.#database.transaction(({ db }) =>
      db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', kept).execute(),
    )
  }

  async settled(): Promise<void> {
    await this.#noting
  }

  /** The request does not wait for the write. */
  #noteUse(id: string, lastMs: number, now: number): void {
    if (now - Math.max(lastMs, this.#noted.get(id) ?? 0) < NOTED_MS) return
    this.#noted.set(id, now)
    const updated_at = new Date(now).toISOString()
    const written = this.#database.transaction(
      ({ db }) => db.updateTable('sessions').set({ updated_at }).where('id', '=', id).execute(),
      { lowPriority: true },
    )
    this.#noting = Promise.allSettled([this.#noting, written])
  }
}
