import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { boundingRights, coverRights } from '../contract/declarations/rights.ts'
import type { Vault } from '../records/services.ts'

/** The purpose under which the vault seals stored responses. */
const PURPOSE = 'kept answer'

/** Encrypts a response that is stored for replays, because it may contain a secret that is shown once. */
export function sealAnswer(vault: Pick<Vault, 'seal'>, answer: object): string {
  return vault.seal(PURPOSE, JSON.stringify(answer))
}

/** Opens a response that `sealAnswer` has sealed. */
export function openAnswer<Answer extends object>(vault: Pick<Vault, 'open'>, kept: string): Answer {
  return JSON.parse(vault.open(PURPOSE, kept)) as Answer
}

/** Returns the owner of a caller's keys: its user, so that all tokens of a user share keys, or the caller itself if it has no user. */
export function ownerOfKeys(caller: Caller): string {
  return isUser(caller) ? caller.userId : callerId(caller)
}

/** Returns the rights of a caller in the form in which they are stored with a response. */
export function keptRights(caller: Caller): string {
  return JSON.stringify(boundingRights(caller))
}

/**
 * Returns whether a caller has all rights that a response was made with: the user may have lost a role since, or may now use a token with
 * fewer rights. Responses stored by earlier releases have no rights.
 */
export function coversKept(caller: Caller, kept: string | null): boolean {
  return kept === null || coverRights(boundingRights(caller), JSON.parse(kept))
}
