import type { Actor, Limit, Role, SessionCaller, TokenCaller, TokenRight } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { approvedRights, cappedBy, leastRights } from '../contract/declarations/rights.ts'
import { boundBy } from '../contract/declarations/role-rights.ts'
import { bearerToken, couldBeToken, hashToken } from '../contract/values/token-format.ts'
import { MINUTE_MS, timestampOf } from '../contract/values/values.ts'
import { compileOnce, updateOne } from '../database/compile-once.ts'
import { waitInWords } from '../format/durations.ts'
import { rightsOf } from '../resources/company/user/members.ts'
import type { Db, ShopDatabase, ShopScope } from '../resources/tables.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { GuessLimit } from './guess-limit.ts'
import { networkOf } from './network.ts'

const findToken = compileOnce((db: Db, hash: string) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.account_id', '=', 'api_tokens.account_id')
        .onRef('memberships.user_id', '=', 'api_tokens.user_id'),
    )
    .select(['api_tokens.id', 'api_tokens.account_id', 'api_tokens.user_id', 'right_name as right', 'memberships.role'])
    .select(['unlimited', 'role_name as tokenRole', 'caps'])
    .where('token_hash', '=', hash),
)

interface FoundToken {
  id: string
  account_id: string
  user_id: string
  role: Role
  right: TokenRight
  tokenRole?: Role | null
  unlimited?: number
  caps?: string | null
}

/** A kind of bearer token: how it is looked up, and the error for a missing or wrong one. */
export interface TokenKind {
  /** The table that stores when a token was last used. */
  table: 'api_tokens' | 'connections'
  /** Returns false if the text cannot be a token of this kind. Such a text is not looked up. */
  couldBe(token: string): boolean
  find(db: Db, hash: string): Promise<FoundToken[]>
  /** Returns the error for a missing or wrong token. `header` is the Authorization header, or null. */
  refusal(header: string | null): ApiError
}

const API_TOKENS: TokenKind = {
  table: 'api_tokens',
  couldBe: couldBeToken,
  find: findToken,
  refusal: unauthenticated,
}

const MOST_NOTED = 50_000

export class Authenticator {
  readonly #database: ShopDatabase
  readonly #secret: string
  readonly #kind: TokenKind
  readonly #guesses = new GuessLimit()
  /** The time of the last write of `last_used_at` by token id, which limits the writes to one per minute and token. */
  readonly #noted = new BoundedMap<string, number>(MOST_NOTED)
  #noting: Promise<unknown> = Promise.resolve()

  constructor(database: ShopDatabase, secret: string, kind: TokenKind = API_TOKENS) {
    this.#database = database
    this.#secret = secret
    this.#kind = kind
  }

  /** Returns the caller of a valid token. Throws a 401, or a 429 after too many wrong tokens from one client. */
  async authenticate(header: string | null, address: string): Promise<TokenCaller> {
    const client = networkOf(address)
    const token = bearerToken(header)
    const hash = token !== null && this.#kind.couldBe(token) ? hashToken(token, this.#secret) : null
    this.#refuseGuesses(client, hash)
    const [found] = hash === null ? [] : await this.#kind.find(this.#database.read, hash)
    // Checks the limit again, because concurrent requests may have reached it during the query.
    this.#refuseGuesses(client, hash)
    if (!found || hash === null) {
      if (header) this.#guesses.noteWrong(client)
      throw this.#kind.refusal(header)
    }
    this.#guesses.noteRight(client, hash)
    this.#noteUse(found)
    return callerOf(found)
  }

  async settled(): Promise<void> {
    await this.#noting
  }

  #refuseGuesses(client: string, hash: string | null): void {
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) throw tooManyGuesses(waitMs)
  }

  /** Stores when a token was last used. The request does not wait for the write, and a crash may lose it. */
  #noteUse({ account_id, id }: FoundToken): void {
    const now = Date.now()
    if (now - (this.#noted.get(id) ?? 0) < MINUTE_MS) return
    this.#noted.set(id, now)
    const last_used_at = timestampOf(new Date(now))
    const written = this.#database.transaction(
      ({ db }) => updateOne(db, this.#kind.table, { account_id, id }, { last_used_at }),
      { lowPriority: true },
    )
    this.#noting = Promise.allSettled([this.#noting, written])
  }
}

function callerOf({ id, account_id, user_id, role, tokenRole, right, unlimited, caps }: FoundToken): TokenCaller {
  return {
    kind: 'token',
    tokenId: id,
    accountId: account_id,
    userId: user_id,
    ...(tokenRole ? { ...boundBy([role, tokenRole]), tokenRole } : { role }),
    right,
    ...(unlimited === 1 && { unlimited: true }),
    ...(caps && { capped: [id] }),
  }
}

function unauthenticated(header: string | null): ApiError {
  const problem = header ? 'The API token is invalid: it was mistyped or deleted.' : 'No API token was sent.'
  return new ApiError('authentication_required', `${problem} Send the header Authorization: Bearer <API token>.`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

/** The error is the same for right and wrong tokens, so that guesses reveal nothing. */
function tooManyGuesses(waitMs: number): ApiError {
  const wait = Math.ceil(waitMs / 1000)
  const message = `Too many invalid tokens were sent from this address. Try again in ${waitInWords(wait)}.`
  return new ApiError('rate_limit_exceeded', message, { headers: { 'Retry-After': String(wait) } })
}

interface AbsentCaller extends Actor {
  accountId: string
  limits: readonly Actor[]
  /** The people who approved the program. Their approval allows the program to write, but only within the rights of these people. */
  approvers?: readonly Actor[] | undefined
}

/** Returns a caller with the rights that all actors have in common; null if a token or connection was revoked or a user has left. */
export async function findCaller(
  { read: db }: ShopScope,
  { accountId, userId, tokenId, limits, approvers = [] }: AbsentCaller,
): Promise<TokenCaller | SessionCaller | null> {
  const all = await rightsOf({ db, accountId }, [{ userId, tokenId }, ...limits, ...approvers])
  if (!all) return null
  const { roles, right } = approvers.length > 0 ? approvedRights(all) : leastRights(all)
  // A token that may only propose remains a limit after an approval, so that responses omit what it must not get (`mayAct`).
  const bounding = all.filter((one, index) => index > 0 || (approvers.length > 0 && one.right !== 'write'))
  const others = bounding.map(({ userId, tokenId, right, tokenRole }): Limit => ({ userId, tokenId, right, tokenRole }))
  const person = { accountId, userId, ...boundBy(roles), right, limits: others, ...cappedBy(all) }
  if (tokenId === null) return { kind: 'session', sessionId: 'task', ...person }
  const tokenRole = all[0]?.tokenRole
  return { kind: 'token', tokenId, ...person, ...(tokenRole && { tokenRole }) }
}
