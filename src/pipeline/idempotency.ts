import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { ApiError } from '../contract/errors.ts'
import type { Scope } from '../database/database.ts'
import type { Caller } from '../records/context.ts'
import type { Tables } from '../records/tables.ts'
import type { OperationRequest } from './request.ts'
import { transact } from './transact.ts'

declare module '../records/tables.ts' {
  interface Tables {
    /** `status` and `body` are null while the first request with the key still runs. */
    idempotency_keys: {
      account_id: string
      user_id: string
      idempotency_key: string
      fingerprint: string
      claimed_at: string
      status: number | null
      body: string | null
    }
  }
}

const MAX_KEY_LENGTH = 255
/** A claim without an answer is what a crash left; after this the key is free again. */
const CLAIM_LEASE_MS = 60_000
export const KEPT_MS = 24 * 60 * 60 * 1000

export interface StoredAnswer {
  status: number
  body: Record<string, unknown>
}

/** One use of an `Idempotency-Key` (contract 1.6): claimed in a transaction of its own, answered in that of the effect. */
export class IdempotentRequest {
  readonly #caller: Caller
  readonly #key: string
  readonly #fingerprint: string

  constructor(request: OperationRequest, key: string) {
    if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
      throw new ApiError('parameter_invalid', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`, {
        param: 'Idempotency-Key',
      })
    }
    this.#caller = request.caller
    this.#key = key
    this.#fingerprint = fingerprint(request)
  }

  /** Claims the key, or gives the first answer back. Throws 409 while the first runs, 422 when it was another request. */
  async claim(scope: Scope<Tables>, now: Date): Promise<StoredAnswer | null> {
    return transact(scope, {}, async ({ db }) => {
      const found = await this.#mine(db.selectFrom('idempotency_keys').selectAll()).executeTakeFirst()
      const fresh =
        found && now.getTime() - Date.parse(found.claimed_at) < (found.status === null ? CLAIM_LEASE_MS : KEPT_MS)
      if (found && fresh) return this.#answerOf(found)
      if (found) await this.#mine(db.deleteFrom('idempotency_keys')).execute()
      await db.insertInto('idempotency_keys').values(this.#claimed(now)).execute()
      return null
    })
  }

  /** Keeps the answer for replays; part of the effect's own transaction. */
  async store(db: Kysely<Tables>, { status, body }: StoredAnswer): Promise<void> {
    await this.#mine(db.updateTable('idempotency_keys').set({ status, body: JSON.stringify(body) })).execute()
  }

  /** Frees the key when nothing was done. */
  async release(scope: Scope<Tables>): Promise<void> {
    await scope.transaction(({ db }) =>
      this.#mine(db.deleteFrom('idempotency_keys').where('status', 'is', null)).execute(),
    )
  }

  #answerOf(found: Tables['idempotency_keys']): StoredAnswer {
    if (found.fingerprint !== this.#fingerprint) {
      throw new ApiError(
        'idempotency_key_reused',
        'This Idempotency-Key was already used for another method, path or body; use a new key.',
      )
    }
    if (found.status === null || found.body === null) {
      const message = 'The first request with this Idempotency-Key is still running.'
      throw new ApiError('idempotency_key_in_use', message, { headers: { 'Retry-After': '1' } })
    }
    return { status: found.status, body: JSON.parse(found.body) }
  }

  #claimed(now: Date): Tables['idempotency_keys'] {
    const { accountId, userId } = this.#caller
    const claim = { account_id: accountId, user_id: userId, idempotency_key: this.#key, fingerprint: this.#fingerprint }
    return { ...claim, claimed_at: now.toISOString(), status: null, body: null }
  }

  #mine<Query extends { where(column: never, operator: never, value: never): Query }>(query: Query): Query {
    const { accountId, userId } = this.#caller
    const same = { account_id: accountId, user_id: userId, idempotency_key: this.#key }
    return Object.entries(same).reduce(
      (narrowed, [column, value]) => narrowed.where(column as never, '=' as never, value as never),
      query,
    )
  }
}

/** Method, path, query and body, with the keys of objects in one order. */
function fingerprint({ method, path, query, body }: OperationRequest): string {
  return createHash('sha256')
    .update(canonical([method, path, query, body ?? null]))
    .digest('hex')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
