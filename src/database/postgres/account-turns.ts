import type { Pool, PoolClient } from 'pg'
import { type Leave, Places } from '../../queues/places.ts'
import { unlessAborted } from '../../unless-aborted.ts'

/** A transaction of an account, at the moment when its COMMIT was sent. */
interface Committing {
  client: PoolClient
  /** When its COMMIT was answered, or was lost. */
  over: Promise<void>
  /** The connection belongs to the transaction that follows. */
  isTaken: boolean
}

/** The turn of an account that somebody holds. */
export interface AccountTurn {
  /**
   * The connection on which the transaction before is just being committed: what is sent on it is carried out after that commit, and
   * whoever holds the turn gives it back to the pool. Absent where there is none, or where somebody waits for a connection.
   */
  client: PoolClient | undefined
  /**
   * Lets the next one in, as COMMIT was sent on this connection. The result says, once that was answered, whether the connection was
   * taken over; where it was not, nobody will any more.
   */
  handOver(client: PoolClient): () => boolean
  /** Only the first call counts, of this or `handOver`. */
  leave: Leave
}

/**
 * Transactions of one account that write, one after the other, so that they do not abort each other for ever. The next one begins when
 * COMMIT was sent, on the same connection: neither of them waits for the way of its answer.
 */
export class AccountTurns {
  readonly #pool: Pick<Pool, 'waitingCount'>
  readonly #places = new Places({ each: 1 })
  readonly #committing = new Map<string, Committing>()

  constructor(pool: Pick<Pool, 'waitingCount'>) {
    this.#pool = pool
  }

  /** The turn of whoever has a connection of its own, as programs do. An abort while waiting rejects with its reason. */
  async take(account: string, signal?: AbortSignal): Promise<Leave> {
    const leave = await this.#places.take(account, signal)
    const { over } = this.#committing.get(account) ?? {}
    try {
      signal?.throwIfAborted()
      await (over && signal ? unlessAborted(over, signal) : over)
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** The turn of a transaction that takes any connection. */
  async follow(account: string): Promise<AccountTurn> {
    const leave = await this.#places.take(account)
    const before = this.#committing.get(account)
    // A connection is not kept from those who wait for one.
    const takes = before !== undefined && this.#pool.waitingCount === 0
    if (takes) {
      before.isTaken = true
      this.#committing.delete(account)
    } else await before?.over
    return {
      client: takes ? before.client : undefined,
      leave,
      handOver: (client) => this.#handOver(account, client, leave),
    }
  }

  #handOver(account: string, client: PoolClient, leave: Leave): () => boolean {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const committing: Committing = { client, over, isTaken: false }
    this.#committing.set(account, committing)
    leave()
    return () => {
      if (!committing.isTaken) this.#committing.delete(account)
      resolve()
      return committing.isTaken
    }
  }
}
