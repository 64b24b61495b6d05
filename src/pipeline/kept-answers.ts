import { type Caller, callerId, isUser } from '../contract/declarations/caller.ts'
import { boundingRights, coverRights } from '../contract/declarations/rights.ts'
import type { Vault } from '../records/services.ts'

/** What the vault seals kept answers for. */
const PURPOSE = 'kept answer'

/**
 * Answers that are kept to be given again may show a secret that is shown once, so they are encrypted for as long as they are
 * kept.
 */
export function sealAnswer(vault: Pick<Vault, 'seal'>, answer: object): string {
  return vault.seal(PURPOSE, JSON.stringify(answer))
}

/** Opens what `sealAnswer` has sealed. */
export function openAnswer<Answer extends object>(vault: Pick<Vault, 'open'>, kept: string): Answer {
  return JSON.parse(vault.open(PURPOSE, kept)) as Answer
}

/** The owner of a caller's keys: its user, whichever token the user has; the caller itself where there is no user. */
export function ownerOfKeys(caller: Caller): string {
  return isUser(caller) ? caller.userId : callerId(caller)
}

/** The rights of a caller, as they are kept with an answer. */
export function keptRights(caller: Caller): string {
  return JSON.stringify(boundingRights(caller))
}

/**
 * Whether a caller has all rights that an answer was made with: the user may have lost a role since, or come with a token that may do
 * less. Releases before kept no rights.
 */
export function coversKept(caller: Caller, kept: string | null): boolean {
  return kept === null || coverRights(boundingRights(caller), JSON.parse(kept))
}
