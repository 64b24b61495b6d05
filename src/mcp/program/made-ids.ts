/** Ids of resources, wherever they stand in a text. */
export const ID = /\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
/** A secret that begins with the id of what it is for, as in the address of an invoice. */
const SECRET = /\b([a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25})_secret_[\w-]+/g

/** Names for the ids that a run makes, which another run of the same program makes anew: `#product 1`. */
export class MadeIds {
  readonly names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  add(object: string, id: string): void {
    const number = (this.#counts.get(object) ?? 0) + 1
    this.#counts.set(object, number)
    this.names.set(id, `#${object} ${number}`)
  }
}

/** A text with names for the ids that a run has made, and for the secrets that begin with them. */
export function withMadeNames(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(SECRET, (secret, id) => (names.has(id) ? `${names.get(id)}_secret` : secret))
    .replace(ID, (id) => names.get(id) ?? id)
}
