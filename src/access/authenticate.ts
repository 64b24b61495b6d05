import type { Kysely } from 'kysely'
import type { Role, TokenCaller, TokenRight } from '../contract/caller.ts'
import { ApiError } from '../contract/errors.ts'
import { timestampOf } from '../contract/values.ts'
import { compileOnce } from '../database/compile-once.ts'
import type { Database } from '../database/database.ts'
import type { ApiToken } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { couldBeToken, hashToken } from './token-format.ts'

const findToken = compileOnce((db: Kysely<Tables>, hash: string) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_id', '=', 'api_tokens.account_id')
        .onRef('memberships.user_id', '=', 'api_tokens.user_id'),
    )
    .select(['api_tokens.id', 'api_tokens.account_id', 'api_tokens.user_id', 'right_name', 'memberships.role'])
    .where('token_hash', '=', hash),
)

/** Failed attempts that one address may make in a minute. */
const FAILURES_PER_MINUTE = 60
const MINUTE_MS = 60_000
const MAX_ADDRESSES = 50_000

/** Identifies the caller by the `Authorization` header. */
export class Authenticator {
  readonly #database: Database<Tables>
  readonly #secret: string
  readonly #failures = new Map<string, { count: number; since: number }>()
  /** When each token's last use was last written, so that it is written at most once a minute. */
  readonly #noted = new Map<string, number>()
  #noting: Promise<unknown> = Promise.resolve()

  constructor(database: Database<Tables>, secret: string) {
    this.#database = database
    this.#secret = secret
  }

  /** The caller of a valid token. Throws 401, or 429 after too many failures from one address. */
  async authenticate(header: string | null, address: string): Promise<TokenCaller> {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
    const found = token !== undefined && couldBeToken(token) ? await this.#find(token) : undefined
    if (!found) throw this.#failed(address, header)
    this.#noteUse(found)
    return {
      kind: 'token',
      tokenId: found.id,
      accountId: found.account_id,
      userId: found.user_id,
      role: found.role as Role,
      right: found.right_name as TokenRight,
    }
  }

  /** Resolves when every noted use is written. */
  async settled(): Promise<void> {
    await this.#noting
  }

  async #find(token: string) {
    return (await findToken(this.#database.read, hashToken(token, this.#secret)))[0]
  }

  #failed(address: string, header: string | null): ApiError {
    const now = Date.now()
    let failures = this.#failures.get(address)
    if (!failures || now - failures.since >= MINUTE_MS) {
      if (this.#failures.size >= MAX_ADDRESSES) this.#failures.clear()
      failures = { count: 0, since: now }
      this.#failures.set(address, failures)
    }
    failures.count += 1
    if (failures.count > FAILURES_PER_MINUTE) {
      const wait = Math.ceil((failures.since + MINUTE_MS - now) / 1000)
      return new ApiError(
        'rate_limit_exceeded',
        `Too many failed attempts from this address. Try again in ${wait} s.`,
        {
          headers: { 'Retry-After': String(wait) },
        },
      )
    }
    const problem = header ? 'The API token is not valid: it is mistyped or was deleted.' : 'No API token was sent.'
    return new ApiError('authentication_required', `${problem} Send the header Authorization: Bearer <API token>.`, {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }

  /** The caller does not wait for this. A crash that loses it only leaves an older time. */
  #noteUse(token: Pick<ApiToken, 'account_id' | 'id'>): void {
    const now = Date.now()
    if (now - (this.#noted.get(token.id) ?? 0) < MINUTE_MS) return
    if (this.#noted.size >= MAX_ADDRESSES) this.#noted.clear()
    this.#noted.set(token.id, now)
    const written = this.#database.transaction(
      ({ db }) =>
        db
          .updateTable('api_tokens')
          .set({ last_used_at: timestampOf(new Date(now)) })
          .where('account_id', '=', token.account_id)
          .where('id', '=', token.id)
          .execute(),
      { patient: true },
    )
    this.#noting = Promise.allSettled([this.#noting, written])
  }
}
