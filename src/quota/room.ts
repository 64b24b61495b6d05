/** The origin of new data: the account itself, its buyers, or outsiders, such as visitors who submit a form. */
export type Bringer = 'account' | 'buyer' | 'outsider'

export interface Storage {
  readonly limitBytes: number
  /** The number of bytes above which data of outsiders is refused, so that they cannot stop the account from working or selling. */
  readonly outsiderBytes: number
  /** Returns whether more data may be stored. Resolves at once while there is plenty of room. */
  hasRoom(accountId: string, bringer: Bringer): Promise<boolean>
  refresh(accountId: string): Promise<void>
}

/** The storage of command-line commands, which is unlimited because they write only a few rows each. */
export const UNCOUNTED: Storage = {
  limitBytes: Number.POSITIVE_INFINITY,
  outsiderBytes: Number.POSITIVE_INFINITY,
  hasRoom: async () => true,
  refresh: async () => {},
}
