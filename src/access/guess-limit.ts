import { MINUTE_MS } from '../contract/values/values.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'

const WRONG_PER_MINUTE = 60
const MOST_CLIENTS = 50_000
const MOST_KNOWN = 50_000

/**
 * Limits the invalid tokens of a client (see `networkOf`) per minute. Above the limit, only tokens that have worked for the client before
 * are accepted, so that guesses reveal nothing and other programs at the same address keep working.
 */
export class GuessLimit {
  readonly #wrong = new BoundedMap<string, { count: number; since: number }>(MOST_CLIENTS)
  /** Pairs of a client and a hash of a token that has worked for the client, as keys. */
  readonly #known = new BoundedMap<string, true>(MOST_KNOWN)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Returns the milliseconds that the client must wait before this token is checked; 0 if it is checked now. */
  waitMs(client: string, tokenHash: string | null): number {
    const wrong = this.#recent(client)
    if (!wrong || wrong.count < WRONG_PER_MINUTE) return 0
    if (tokenHash !== null && this.#known.get(pair(client, tokenHash))) return 0
    return wrong.since + MINUTE_MS - this.#now()
  }

  noteWrong(client: string): void {
    const wrong = this.#recent(client)
    if (wrong) wrong.count += 1
    else this.#wrong.set(client, { count: 1, since: this.#now() })
  }

  noteRight(client: string, tokenHash: string): void {
    const known = pair(client, tokenHash)
    if (!this.#known.get(known)) this.#known.set(known, true)
  }

  #recent(client: string) {
    const wrong = this.#wrong.get(client)
    return wrong && this.#now() - wrong.since < MINUTE_MS ? wrong : undefined
  }
}

function pair(client: string, tokenHash: string): string {
  return `${tokenHash.slice(0, 32)} ${client}`
}
