import { type Leave, Places } from '../../concurrency/places.ts'
import type { Caller } from '../../contract/declarations/caller.ts'
import type { Transaction } from '../../database/database.ts'
import { coversKept, keptRights, openAnswer, ownerOfKeys, sealAnswer } from '../../pipeline/kept-answers.ts'
import { findResult, fingerprintOf, type ResultKey, storeResult } from '../../pipeline/program-results.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/api.ts'
import { RecordRefused } from './ending.ts'
import type { RunParts } from './run.ts'
import { canceledError, onceKeyInUseError, onceKeyReusedError, onceWithheldError, type RunError } from './run-error.ts'

type ResponseBody = { [key: string]: Json }

export interface OnceKey extends ResultKey {
  caller: Caller
  code: string
  /** The user who applied the plan, who alone may see the stored response; null if the caller may see it. */
  reader: string | null
}

export function onceKeyOf(caller: Caller, key: string, program: Pick<OnceKey, 'code' | 'reader'>): OnceKey {
  return { accountId: caller.accountId, owner: ownerOfKeys(caller), key, caller, ...program }
}

/** Returns the stored response for a key, an error if this caller may not use the key, or null if nothing is stored. */
export async function storedAnswer(
  { database, vault }: Pick<RunParts, 'database'> & { vault: Vault },
  once: OnceKey,
): Promise<{ body: ResponseBody } | { error: RunError } | null> {
  const { key, code, caller, reader, owner } = once
  const found = await findResult(database, once)
  if (!found) return null
  if (found.fingerprint !== fingerprintOf(code)) return { error: onceKeyReusedError(key) }
  const isForReader = reader === null || reader === owner
  // The caller may not see the stored response, and the program must not run a second time.
  if (!isForReader || found.rights === null || !coversKept(caller, found.rights))
    return { error: onceWithheldError(key) }
  return { body: { replayed: true, ...openAnswer<ResponseBody>(vault, found.answer) } }
}

/** Stores the response in the transaction of the program's changes. Throws RecordRefused if another replica has stored one first. */
export async function recordAnswer(
  unit: Transaction<Tables>,
  vault: Vault,
  once: OnceKey,
  body: ResponseBody,
): Promise<void> {
  const { key, code, caller } = once
  const result = { fingerprint: fingerprintOf(code), answer: sealAnswer(vault, body), rights: keptRights(caller) }
  if (!(await storeResult(unit, once, result))) throw new RecordRefused(onceKeyReusedError(key))
}

/** The maximum wait for another program with the same key: that program's deadline and the time that it takes to end. */
const LONGEST_WAIT_MS = 6_000

/** Runs programs with the same key one after another in this process, so that later ones find the response of the first. */
export class OnceTurns {
  readonly #turns = new Places({ each: 1 })
  readonly #longestWaitMs: number

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs
  }

  /** Calls `work` when no program with the same key is running. Returns an error if the wait is too long or the caller disconnects. */
  async take<Result>(
    { accountId, owner, key }: ResultKey,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result | { refused: RunError }> {
    const late = AbortSignal.timeout(this.#longestWaitMs)
    let leave: Leave
    try {
      leave = await this.#turns.take(`${accountId} ${owner} ${key}`, signal ? AbortSignal.any([signal, late]) : late)
    } catch {
      return { refused: signal?.aborted ? canceledError() : onceKeyInUseError(key) }
    }
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
