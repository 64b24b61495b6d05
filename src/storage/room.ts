/** Who brings something: people and programs of the account, buyers, or anybody else outside, such as whoever answers a form. */
export type Bringer = 'account' | 'buyer' | 'outsider'

/** How much the rows of each account may take, and whether there is room for more. */
export interface Storage {
  /** Bytes that the rows of one account may take. */
  readonly limitBytes: number
  /** Bytes from which on nothing more is taken from outsiders, so that they cannot keep the account from working, nor from selling. */
  readonly outsiderBytes: number
  /** Whether more may be stored. Resolves at once as long as there is plenty of room. */
  hasRoom(accountId: string, bringer: Bringer): Promise<boolean>
  refresh(accountId: string): Promise<void>
}

/** For commands, which make a few rows each. */
export const UNCOUNTED: Storage = {
  limitBytes: Number.POSITIVE_INFINITY,
  outsiderBytes: Number.POSITIVE_INFINITY,
  hasRoom: async () => true,
  refresh: async () => {},
}
