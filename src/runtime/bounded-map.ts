/**
 * The share of the entries that a full map removes at once. To find the oldest entry, the engine has to skip the gaps of all
 * removed entries, which takes as long for one entry as for many.
 */
const REMOVED_SHARE = 1 / 16

/** A map of limited size: when it is full, setting a new entry removes the entries that were set longest ago. */
export class BoundedMap<Key, Value> {
  readonly #most: number
  readonly #entries = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#most) this.#removeOldest()
    this.#entries.set(key, value)
  }

  #removeOldest(): void {
    for (const key of this.#entries.keys().take(Math.ceil(this.#most * REMOVED_SHARE))) this.#entries.delete(key)
  }
}
