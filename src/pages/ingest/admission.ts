import { createHash } from 'node:crypto'
import { GuessLimit } from '../../access/guess-limit.ts'
import { networkOf } from '../../access/network.ts'
import { missingResource, tooManyRequests } from '../../contract/declarations/errors.ts'
import { turnsInMemory } from '../../pipeline/rate-limit.ts'
import { EventSource } from '../../resources/automation/event_source/event_source.ts'
import { opensIngest } from '../../resources/automation/event_source/show.ts'
import type { IngestParts, IngestRequest } from './parts.ts'

/** Events that one source takes, of which each may start a run of several tasks. */
const EVENTS_OF_SOURCE = { name: 'events', perMinute: 60, burst: 60 }

/** Who may post: those who have the address of a source, and not too often. Asks the database nothing. */
export class Admission {
  readonly #guesses = new GuessLimit()
  readonly #take = turnsInMemory()

  /** Throws `resource_missing` or `rate_limit_exceeded`. */
  async require(parts: IngestParts, asked: IngestRequest): Promise<void> {
    const client = networkOf(asked.address)
    const hash = createHash('sha256').update(`${asked.id}/${asked.capability}`).digest('hex')
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) throw tooManyRequests({ 'Retry-After': String(Math.ceil(waitMs / 1000)) })
    if (!opensIngest(parts, asked.id, asked.capability)) {
      this.#guesses.noteWrong(client)
      throw missingResource(EventSource.name)
    }
    this.#guesses.noteRight(client, hash)
    const wait = await this.#take(asked.id, EVENTS_OF_SOURCE)
    if (wait > 0) throw tooManyRequests({ 'Retry-After': String(wait) })
  }
}
