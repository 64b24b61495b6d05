/** A queue in which accounts take turns: the next item belongs to the account that was served longest ago. */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Set<Item>>()
  /** The account that was served last. It moves to the end when the next item is taken. */
  #served: string | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  add(account: string, item: Item): void {
    const line = this.#lines.get(account)
    if (line) line.add(item)
    else this.#lines.set(account, new Set([item]))
    this.#size += 1
  }

  /** Removes and returns the next item of an account that `may` accepts. */
  take(may: (account: string) => boolean = () => true): Item | undefined {
    if (this.#lines.size > 1) this.#moveServedToTheEnd()
    for (const [account, line] of this.#lines) {
      if (!may(account)) continue
      for (const item of line) {
        this.remove(account, item)
        this.#served = account
        return item
      }
    }
    return undefined
  }

  /** Does nothing if the item is not waiting. */
  remove(account: string, item: Item): void {
    const line = this.#lines.get(account)
    if (!line?.delete(item)) return
    if (line.size === 0) this.#lines.delete(account)
    this.#size -= 1
  }

  some(test: (item: Item) => boolean): boolean {
    return this.#lines.values().some((line) => line.values().some(test))
  }

  #moveServedToTheEnd(): void {
    const line = this.#served === undefined ? undefined : this.#lines.get(this.#served)
    if (!line) return
    this.#lines.delete(this.#served!)
    this.#lines.set(this.#served!, line)
  }
}
