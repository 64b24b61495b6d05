/** Characters of rows that one transaction remembers. */
const MOST_CHARACTERS = 4_000_000
/** What a row takes besides its texts. */
const ROW_SIZE = 300

/** Keeps what a transaction remembers small: where it is too much, all of it is forgotten. */
export class Room {
  readonly #forget: () => void
  #left = MOST_CHARACTERS

  constructor(forget: () => void) {
    this.#forget = forget
  }

  take(size: number): void {
    this.#left -= size
    if (this.#left >= 0) return
    this.#left = MOST_CHARACTERS
    this.#forget()
  }
}

/** About the characters that a row takes. */
export function sizeOf(row: Record<string, unknown>): number {
  let size = ROW_SIZE
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') size += value.length
  }
  return size
}
