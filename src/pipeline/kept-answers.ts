import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { boundingRights, coverRights } from '../contract/declarations/rights.ts'
import type { Vault } from '../records/services.ts'

/** The vault's name for these values, which separates them from its other encrypted values. */
const PURPOSE = 'kept answer'

/** Encrypts a response to store it for replays, because it may contain a secret that is shown only once. */
export function sealAnswer(vault: Pick<Vault, 'seal'>, answer: object): string {
  return vault.seal(PURPOSE, JSON.stringify(answer))
}

export function openAnswer<Answer extends object>(vault: Pick<Vault, 'open'>, kept: string): Answer {
  return JSON.parse(vault.open(PURPOSE, kept)) as Answer
}

/** Returns the owner of a caller's idempotency keys: the user, whose tokens all share keys, or the caller itself if it has no user. */
export function ownerOfKeys(caller: Caller): string {
  return isUser(caller) ? caller.userId : callerId(caller)
}

export function keptRights(caller: Caller): string {
  return JSON.stringify(boundingRights(caller))
}

/** Returns whether a caller has all rights with which a response was made. Responses from earlier releases have no rights. */
export function coversKept(caller: Caller, kept: string | null): boolean {
  return kept === null || coverRights(boundingRights(caller), JSON.parse(kept))
}
