export interface Watch {
  readonly changed: boolean
  stop(): void
}

/**
 * Tracks whether a commit has changed an account since a program began to read it. The data is only in memory, because one process owns
 * the data directory. Commands that run at the same time change only tokens and plans, which no program reads.
 */
export class AccountChanges {
  readonly #watched = new Map<string, Set<{ changed: boolean }>>()

  watch(account: string): Watch {
    const state = { changed: false }
    const watches = this.#watched.get(account) ?? new Set()
    this.#watched.set(account, watches.add(state))
    return {
      get changed() {
        return state.changed
      },
      stop: () => this.#forget(account, state),
    }
  }

  /**
   * Records that an account has changed. Call it in the same tick as the COMMIT, so that no program reads the change before it is
   * recorded.
   */
  note(account: string): void {
    for (const state of this.#watched.get(account) ?? []) state.changed = true
    this.#watched.delete(account)
  }

  #forget(account: string, state: { changed: boolean }): void {
    const watches = this.#watched.get(account)
    if (watches?.delete(state) && watches.size === 0) this.#watched.delete(account)
  }
}
