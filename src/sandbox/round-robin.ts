export interface QueueLimits {
  total: number
  perKey: number
}

/** A bounded queue whose keys take turns. When it is full, the key with the most items loses its newest item to a key with fewer. */
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

  /** If a limit is exceeded, returns the item that was dropped: this one, or the newest of the key with the most items. */
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

  /** Returns the item that `take` would return, but does not remove it. */
  next(may: (key: string) => boolean = () => true): Item | undefined {
    for (const [key, line] of this.#lines) if (may(key)) return line[0]
    return undefined
  }

  /** Removes and returns the next item of the first key that `may` accepts, and moves this key to the end. */
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

  /** Returns false if the item is no longer in the queue. */
  remove(key: string, item: Item): boolean {
    const line = this.#lines.get(key)
    const index = line?.indexOf(item) ?? -1
    if (!line || index < 0) return false
    line.splice(index, 1)
    if (line.length === 0) this.#lines.delete(key)
    this.#size--
    return true
  }

  /** Drops the newest item of the key with the most items, if that key has more than `length`. */
  #dropOfLongest(length: number): Item | undefined {
    const longest = [...this.#lines.values()].reduce((a, b) => (b.length > a.length ? b : a))
    if (longest.length <= length) return undefined
    this.#size--
    return longest.pop()
  }
}
