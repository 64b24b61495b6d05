/** How many items may wait in all, and of one key. */
export interface QueueLimits {
  total: number
  perKey: number
}

/**
 * A bounded queue whose keys take turns, so that one busy key cannot hold up the others. When it is full, the longest line
 * gives up its newest item for a key that has fewer.
 */
export class RoundRobin<Item> {
  readonly #limits: QueueLimits
  readonly #lines = new Map<string, Item[]>()
  #size = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  /** The item that finds no place: the added one, or the newest of the longest line; undefined when all have one. */
  add(key: string, item: Item): Item | undefined {
    const line = this.#lines.get(key) ?? []
    if (line.length >= this.#limits.perKey) return item
    const dropped = this.#size >= this.#limits.total ? this.#dropOfLongest(line.length + 1) : undefined
    if (this.#size >= this.#limits.total) return item
    this.#lines.set(key, line)
    line.push(item)
    this.#size++
    return dropped
  }

  /** The item that `take` would give, which stays. */
  next(may: (key: string) => boolean = () => true): Item | undefined {
    for (const [key, line] of this.#lines) if (may(key)) return line[0]
    return undefined
  }

  /** The next item of the first key in turn that `may` go; that key's next turn comes after all others. */
  take(may: (key: string) => boolean = () => true): Item | undefined {
    for (const [key, line] of this.#lines) {
      if (!may(key)) continue
      const item = line.shift()
      this.#lines.delete(key)
      if (line.length > 0) this.#lines.set(key, line)
      if (item !== undefined) this.#size--
      return item
    }
    return undefined
  }

  /** Removes an item that waits; false when it is not in the queue any more. */
  remove(key: string, item: Item): boolean {
    const line = this.#lines.get(key)
    const index = line?.indexOf(item) ?? -1
    if (!line || index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) this.#lines.delete(key)
    this.#size--
    return true
  }

  /** The newest item of the longest line, when that is longer than `length`. */
  #dropOfLongest(length: number): Item | undefined {
    const longest = [...this.#lines.values()].reduce((a, b) => (b.length > a.length ? b : a))
    if (longest.length <= length) return undefined
    this.#size--
    return longest.pop()
  }
}
