/** A bounded queue whose keys take turns, so that one busy key cannot hold up the others. */
export class RoundRobin<Item> {
  readonly #limit: number
  readonly #lines = new Map<string, Item[]>()
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  /** False when the queue is full. */
  add(key: string, item: Item): boolean {
    if (this.#size >= this.#limit) return false
    const line = this.#lines.get(key)
    if (line) line.push(item)
    else this.#lines.set(key, [item])
    this.#size++
    return true
  }

  /** The next item of the key whose turn it is; that key's next turn comes after all others. */
  take(): Item | undefined {
    for (const [key, line] of this.#lines) {
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
}
