/** The maximum number of characters that the cache of one transaction contains. */
const MOST_CHARACTERS = 4_000_000
/** The approximate size of a cached row without its texts, in characters. */
const ROW_SIZE = 300

/** Limits the size of a transaction's cache: if it becomes too large, all of it is cleared. */
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

/** Returns the approximate size of a row in characters. */
export function sizeOf(row: Record<string, unknown>): number {
  let size = ROW_SIZE
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') size += value.length
  }
  return size
}
