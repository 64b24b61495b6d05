export const ID = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
/** Matches a secret that begins with the id of its resource, such as the secret in the address of an invoice. */
const SECRET = /\b([a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25})_secret_[\w-]+/g

/** Assigns names such as `#product 1` to the ids that a run creates, because the ids differ between runs of the same program. */
export class MadeIds {
  readonly names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  add(object: string, id: string): void {
    const number = (this.#counts.get(object) ?? 0) + 1
    this.#counts.set(object, number)
    this.names.set(id, `#${object} ${number}`)
  }
}

/** Replaces the ids that a run has created, and secrets that begin with one of these ids, with names. */
export function withMadeNames(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(SECRET, (secret, id) => (names.has(id) ? `${names.get(id)}_secret` : secret))
    .replace(ID, (id) => names.get(id) ?? id)
}
