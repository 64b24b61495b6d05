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

/** What `sealAnswer` sealed. Releases before it kept JSON, which `sealOldAnswers` seals after the start. */
export function openAnswer<Answer extends object>(vault: Pick<Vault, 'open'>, kept: string): Answer {
  return JSON.parse(isSealed(kept) ? vault.open(PURPOSE, kept) : kept) as Answer
}

/** Sealed answers are Base64; JSON of an object begins with a brace. */
function isSealed(kept: string): boolean {
  return !kept.startsWith('{')
}
