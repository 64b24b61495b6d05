import type { Unit } from '../../database/database.ts'
import { findResult, fingerprintOf, storeResult } from '../../pipeline/program-results.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/door.ts'
import { RecordRefused } from './ending.ts'
import type { RunParts } from './run.ts'
import { onceKeyReusedError, type RunError } from './run-error.ts'

type Body = { [key: string]: Json }

/** A program that may happen once: its account, its key, and its text. */
export interface OnceKey {
  accountId: string
  key: string
  code: string
}

/** What was stored under a key: the answer to give again, or why the key cannot be used. */
export async function storedAnswer(
  { database }: Pick<RunParts, 'database'>,
  { accountId, key, code }: OnceKey,
): Promise<{ body: Body } | { error: RunError } | null> {
  const found = await findResult(database, accountId, key)
  if (!found) return null
  if (found.fingerprint !== fingerprintOf(code)) return { error: onceKeyReusedError(key) }
  return { body: { replayed: true, ...(JSON.parse(found.answer) as Body) } }
}

/** Stores the answer together with its effects. Throws RecordRefused when another replica has done so first. */
export async function recordAnswer(unit: Unit<Tables>, { accountId, key, code }: OnceKey, body: Body): Promise<void> {
  const row = {
    account_id: accountId,
    once_key: key,
    fingerprint: fingerprintOf(code),
    answer: JSON.stringify(body),
    committed_at: new Date().toISOString(),
  }
  if (!(await storeResult(unit, row))) throw new RecordRefused(onceKeyReusedError(key))
}

/** Lets programs of one key run one after the other in this process, so that the later ones find the first one's answer. */
export class OnceTurns {
  readonly #last = new Map<string, Promise<void>>()

  async take<Result>({ accountId, key }: OnceKey, work: () => Promise<Result>): Promise<Result> {
    const name = `${accountId} ${key}`
    const before = this.#last.get(name)
    const { promise: done, resolve } = Promise.withResolvers<void>()
    this.#last.set(name, done)
    try {
      await before
      return await work()
    } finally {
      resolve()
      if (this.#last.get(name) === done) this.#last.delete(name)
    }
  }
}
