import { createHash } from 'node:crypto'
import { GuessLimit } from '../../access/guess-limit.ts'
import { networkOf } from '../../access/network.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import {
  guessedAnswer,
  isOwnForm,
  type PageParts,
  type PageRequest,
  type PostLimit,
  type Refusals,
  unknownAnswer,
} from './parts.ts'

export interface Visit {
  path: string
  /** Where people find it, where that is not the path below the service's own address. */
  address?: string
  /** Its last part: a secret or an id. */
  key: string
  incoming: PageRequest
}

type Find<Found> = (parts: PageParts, key: string) => Promise<Found | null>

interface GateOptions {
  posts: PostLimit
  /** What the pages behind it say when they refuse. */
  refusals: Refusals
  /** What is answered where an address leads to nothing, if not the usual page. */
  unknown?: () => Promise<Response>
}
type Show<Found> = (found: Found, incoming: PageRequest) => Promise<Response>

/** What every page asks first: whether the form is our own, how often it comes, and whether the address leads anywhere. */
export class Gate {
  readonly #parts: PageParts
  readonly #guesses = new GuessLimit()
  readonly #posts: PostLimit
  readonly #refusals: Refusals
  readonly #unknown: () => Promise<Response>

  constructor(parts: PageParts, { posts, refusals, unknown }: GateOptions) {
    this.#parts = parts
    this.#unknown = unknown ?? (() => unknownAnswer(`${parts.publicUrl}/`))
    this.#posts = posts
    this.#refusals = refusals
  }

  get<Found>(visit: Visit, find: Find<Found>, show: Show<Found>): Promise<Response> {
    return this.#answered(visit, () => this.#admit(visit, find, show))
  }

  post<Found>(visit: Visit, find: Find<Found>, show: Show<Found>): Promise<Response> {
    return this.#answered(visit, async () => {
      const { publicUrl } = this.#parts
      const home = visit.incoming.ownDomain ?? publicUrl
      if (!isOwnForm(visit.incoming.header, home)) return this.#refusals.foreignForm(this.#addressOf(visit))
      const wait = await this.#posts.waitSeconds(visit.incoming.address, visit.path)
      return wait > 0 ? this.#refusals.tooManyPosts(wait) : this.#admit(visit, find, show)
    })
  }

  /** Bounds how many secrets a client can try. */
  async #admit<Found>({ key, incoming }: Visit, find: Find<Found>, show: Show<Found>): Promise<Response> {
    const client = networkOf(incoming.address)
    const hash = createHash('sha256').update(key).digest('hex')
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) return guessedAnswer(waitMs)
    const found = await find(this.#parts, key)
    if (found === null) this.#guesses.noteWrong(client)
    else this.#guesses.noteRight(client, hash)
    return found === null ? this.#unknown() : show(found, incoming)
  }

  /** Whatever fails is told as a page. */
  async #answered(visit: Visit, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer()
    } catch (error) {
      // A link that is switched off is as good as none.
      if (error instanceof ApiError && error.code === 'resource_missing') return this.#unknown()
      const { requestId } = visit.incoming
      const refusal = await this.#refusals.failure(error, requestId, this.#addressOf(visit))
      if (refusal.status === 500) this.#parts.log.error({ err: error, requestId }, 'A page failed unexpectedly')
      return refusal
    }
  }

  #addressOf({ address, path }: Visit): string {
    return address ?? this.#parts.publicUrl + path
  }
}
