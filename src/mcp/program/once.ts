import type { Caller } from '../../contract/declarations/caller.ts'
import type { Unit } from '../../database/database.ts'
import { coversKept, keptRights, openAnswer, ownerOfKeys, sealAnswer } from '../../pipeline/kept-answers.ts'
import { findResult, fingerprintOf, type ResultKey, storeResult } from '../../pipeline/program-results.ts'
import { type Leave, Places } from '../../queues/places.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/door.ts'
import { RecordRefused } from './ending.ts'
import type { RunParts } from './run.ts'
import { canceledError, onceKeyInUseError, onceKeyReusedError, onceWithheldError, type RunError } from './run-error.ts'

type Body = { [key: string]: Json }

/** A program that may happen once: whose it is, its key, and its text. */
export interface OnceKey extends ResultKey {
  caller: Caller
  code: string
  /** The person who gets the answer, where that is not the caller: whoever applies the plan. */
  reader: string | null
}

/** The key of a program that a caller runs. */
export function onceKeyOf(caller: Caller, key: string, program: Pick<OnceKey, 'code' | 'reader'>): OnceKey {
  return { accountId: caller.accountId, owner: ownerOfKeys(caller), key, caller, ...program }
}

/** What was stored under a key: the answer to give again, or why the key cannot be used. */
export async function storedAnswer(
  { database, vault }: Pick<RunParts, 'database'> & { vault: Vault },
  once: OnceKey,
): Promise<{ body: Body } | { error: RunError } | null> {
  const { key, code, caller, reader, owner } = once
  const found = await findResult(database, once)
  if (!found) return null
  if (found.fingerprint !== fingerprintOf(code)) return { error: onceKeyReusedError(key) }
  const isForReader = reader === null || reader === owner
  // Running it again would do it twice.
  if (!isForReader || found.rights === null || !coversKept(caller, found.rights))
    return { error: onceWithheldError(key) }
  return { body: { replayed: true, ...openAnswer<Body>(vault, found.answer) } }
}

/** Stores the answer together with its effects. Throws RecordRefused when another replica has done so first. */
export async function recordAnswer(unit: Unit<Tables>, vault: Vault, once: OnceKey, body: Body): Promise<void> {
  const { key, code, caller } = once
  const result = { fingerprint: fingerprintOf(code), answer: sealAnswer(vault, body), rights: keptRights(caller) }
  if (!(await storeResult(unit, once, result))) throw new RecordRefused(onceKeyReusedError(key))
}

/** A program of the same key may take this long, and then a little longer to end. */
const LONGEST_WAIT_MS = 6_000

/** Lets programs of one key run one after the other in this process, so that the later ones find the first one's answer. */
export class OnceTurns {
  readonly #turns = new Places({ each: 1 })
  readonly #longestWaitMs: number

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs
  }

  /** Gives what `work` gives, or the reason why its turn did not come: another program of the key runs, or the caller is gone. */
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
