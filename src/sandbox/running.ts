export class Running {
  readonly #counts = new Map<string, number>()

  begin(account: string): void {
    this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1)
  }

  end(account: string): void {
    const left = (this.#counts.get(account) ?? 0) - 1
    if (left > 0) this.#counts.set(account, left)
    else this.#counts.delete(account)
  }

  get size(): number {
    let size = 0
    for (const count of this.#counts.values()) size += count
    return size
  }

  has(account: string): boolean {
    return this.#counts.has(account)
  }
}
