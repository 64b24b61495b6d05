/** Whether an account has changed since it was first looked at. */
export interface Watch {
  readonly changed: boolean
  stop(): void
}

/**
 * Tells programs that have read whether a commit has changed their account since. Memory is enough: one process has the data
 * directory, and the commands that run next to it change tokens and plans only, which no program reads.
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

  /** To be called in the same step as the COMMIT, so that nobody reads the change before it is noted. */
  note(account: string): void {
    for (const state of this.#watched.get(account) ?? []) state.changed = true
    this.#watched.delete(account)
  }

  #forget(account: string, state: { changed: boolean }): void {
    const watches = this.#watched.get(account)
    if (watches?.delete(state) && watches.size === 0) this.#watched.delete(account)
  }
}
