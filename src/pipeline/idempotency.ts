import { createHash } from 'node:crypto'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Caller } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import { canonicalJson } from '../contract/values/json.ts'
import type { Scope } from '../database/database.ts'
import type { IdempotencyKey } from '../database/system-tables.ts'
import type { Vault } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { coversKept, keptRights, openAnswer, ownerOfKeys, sealAnswer } from './kept-answers.ts'
import type { OperationRequest } from './request.ts'
import { transact } from './transact.ts'

const MAX_KEY_LENGTH = 255
/** A claim that has no response after this time was left behind by a crash, and its key can be used again. */
const CLAIM_LEASE_MS = 60_000
export const KEPT_MS = 24 * 60 * 60 * 1000

export interface StoredAnswer {
  status: number
  body: Record<string, unknown>
}

/** The maximum number of remembered claims. Beyond it, all are forgotten, and their keys become free when the leases end. */
const MAX_ABANDONED = 10_000

/** Claims that this process could not release, for example on a full disk. The next request with such a key takes over the claim. */
export class AbandonedClaims {
  readonly #claims = new Set<string>()

  add(claim: IdempotencyKey): void {
    if (this.#claims.size >= MAX_ABANDONED) this.#claims.clear()
    this.#claims.add(nameOf(claim))
  }

  has(claim: IdempotencyKey): boolean {
    return this.#claims.has(nameOf(claim))
  }

  forget(claim: IdempotencyKey): void {
    this.#claims.delete(nameOf(claim))
  }
}

/** Returns a name for a claim. It includes the time, because a key can be claimed again. */
function nameOf({ account_id, user_id, idempotency_key, claimed_at }: IdempotencyKey): string {
  return JSON.stringify([account_id, user_id, idempotency_key, claimed_at])
}

/** One use of an `Idempotency-Key`. The key is claimed in its own transaction, and the response is stored with the changes. */
export class IdempotentRequest {
  readonly #caller: Caller
  readonly #key: string
  readonly #fingerprint: string
  readonly #abandoned: AbandonedClaims
  readonly #vault: Vault
  #mine: IdempotencyKey | undefined

  constructor(
    request: OperationRequest,
    key: string,
    { abandoned, vault }: { abandoned: AbandonedClaims; vault: Vault },
  ) {
    if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
      throw new ApiError('parameter_invalid', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`, {
        param: 'Idempotency-Key',
      })
    }
    this.#caller = request.caller
    this.#key = key
    this.#fingerprint = fingerprint(request)
    this.#abandoned = abandoned
    this.#vault = vault
  }

  /** Claims the key, or returns the stored response. Throws a 409 while the first request runs, a 422 if the requests differ. */
  async claim(scope: Scope<Tables>, now: Date): Promise<StoredAnswer | null> {
    const claimed = this.#claimed(now)
    const { answer, replaced } = await transact(scope, {}, async ({ db }) => {
      const found = await db.selectFrom('idempotency_keys').selectAll().where(this.#isMine).executeTakeFirst()
      if (found && this.#isFresh(found, now)) return { answer: this.#answerOf(found) }
      if (found) await db.deleteFrom('idempotency_keys').where(this.#isMine).execute()
      await db.insertInto('idempotency_keys').values(claimed).execute()
      return { answer: null, replaced: found }
    })
    if (replaced) this.#abandoned.forget(replaced)
    if (answer === null) this.#mine = claimed
    return answer
  }

  async store(db: Kysely<Tables>, { status, body }: StoredAnswer): Promise<void> {
    await db
      .updateTable('idempotency_keys')
      .set({ status, body: sealAnswer(this.#vault, body) })
      .where(this.#isMine)
      .execute()
  }

  /** Releases the key if nothing was changed. If the database cannot be written, the next request with the key takes over the claim. */
  async release(scope: Scope<Tables>): Promise<void> {
    const unanswered = (row: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
      row.and([this.#isMine(row), row('status', 'is', null)])
    try {
      await scope.transaction(({ db }) => db.deleteFrom('idempotency_keys').where(unanswered).execute())
    } catch {
      if (this.#mine) this.#abandoned.add(this.#mine)
    }
  }

  #isFresh(found: IdempotencyKey, now: Date): boolean {
    if (found.status === null && this.#abandoned.has(found)) return false
    const keptMs = found.status === null ? CLAIM_LEASE_MS : KEPT_MS
    return now.getTime() - Date.parse(found.claimed_at) < keptMs
  }

  #answerOf(found: IdempotencyKey): StoredAnswer {
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
    if (!coversKept(this.#caller, found.rights)) throw new ApiError('permission_denied', WITHHELD)
    return { status: found.status, body: openAnswer(this.#vault, found.body) }
  }

  #claimed(now: Date): IdempotencyKey {
    const claim = { ...ownerColumns(this.#caller), idempotency_key: this.#key, fingerprint: this.#fingerprint }
    return { ...claim, claimed_at: now.toISOString(), status: null, body: null, rights: keptRights(this.#caller) }
  }

  #isMine = (row: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
    row.and({ ...ownerColumns(this.#caller), idempotency_key: this.#key })
}

function ownerColumns(caller: Caller): { account_id: string; user_id: string } {
  return { account_id: caller.accountId, user_id: ownerOfKeys(caller) }
}

const WITHHELD =
  'The first request with this Idempotency-Key had rights that you do not have now, so its answer is not shown, and nothing was done again. Send it with the role or the token that it had; to do it a second time, use a new key.'

function fingerprint({ method, path, query, body }: OperationRequest): string {
  return createHash('sha256')
    .update(canonicalJson([method, path, query, body ?? null]))
    .digest('hex')
}
