import { createHash } from 'node:crypto'
import type { Context, Env, Hono } from 'hono'
import { accountOf } from '../../access/account-of.ts'
import { GuessLimit } from '../../access/guess-limit.ts'
import { networkOf } from '../../access/network.ts'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { guessedAnswer, methodAnswer, type Refusals, unknownAnswer } from './answers.ts'
import { isOwnForm, type PostLimit } from './form.ts'
import type { PageParts, PageRequest, RequestOf } from './page-parts.ts'

export interface Visit {
  path: string
  /** The page's public URL, if it is not the service's own URL followed by the path. */
  address?: string
  /** The last segment of the path, which is a secret or an id. */
  key: string
  incoming: PageRequest
}

/** Returns a function that makes a Visit from a request. Its key is by default the path's segment `:key`, or else the path. */
export function visitsBy<E extends Env>(
  incomingOf: RequestOf<E>,
  keyOf = ({ req }: Context<E>): string => req.param('key') ?? req.path,
) {
  return (context: Context<E>): Visit => ({
    path: context.req.path,
    key: keyOf(context),
    incoming: incomingOf(context),
  })
}

type FindByKey<Found> = (parts: PageParts, key: string) => Promise<Found | null>

/** Returns a function that finds the visitor of a page about one row. `idOf` reads the row's id from a secret key; null if it is wrong. */
export function visitorBy(
  table: Parameters<typeof accountOf>[1],
  idOf: (parts: PageParts, key: string) => string | null = (_, id) => id,
): FindByKey<VisitorCaller> {
  return async (parts, key) => {
    const id = idOf(parts, key)
    const accountId = id === null ? null : await accountOf(parts.database.read, table, id)
    return id === null || accountId === null ? null : { kind: 'visitor', accountId, pageId: id }
  }
}

interface GateOptions {
  posts: PostLimit
  refusals: Refusals
  /** Returns the response to unknown URLs, in place of the usual page. */
  unknown?: () => Promise<Response>
}
type ShowFound<Found> = (found: Found, incoming: PageRequest) => Promise<Response>

interface FormRoute<Found> {
  gate: Gate
  find: FindByKey<Found>
  page: { get: ShowFound<Found>; post: ShowFound<Found> }
}

/** Returns a function that adds the page of a form: GET shows it, POST submits it, and other methods are refused. */
export function formAdder<E extends Env>(app: Hono<E>, visit: (context: Context<E>) => Visit) {
  return <Found>(path: string, { gate, find, page }: FormRoute<Found>): void => {
    app.get(path, (context) => gate.get(visit(context), find, page.get))
    app.post(path, (context) => gate.post(visit(context), find, page.post))
    app.all(path, (context) => methodAnswer(context.req.method))
  }
}

/** Checks requests before a page: a form must be from our own page and within rate limits, and the URL must exist. */
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

  get<Found>(visit: Visit, find: FindByKey<Found>, show: ShowFound<Found>): Promise<Response> {
    return this.#answered(visit, () => this.#admit(visit, find, show))
  }

  post<Found>(visit: Visit, find: FindByKey<Found>, show: ShowFound<Found>): Promise<Response> {
    return this.#answered(visit, async () => {
      const { publicUrl } = this.#parts
      const home = visit.incoming.ownDomain ?? publicUrl
      if (!isOwnForm(visit.incoming.header, home)) return this.#refusals.foreignForm(this.#addressOf(visit))
      const wait = await this.#posts.waitSeconds(visit.incoming.address, visit.path)
      return wait > 0 ? this.#refusals.tooManyPosts(wait) : this.#admit(visit, find, show)
    })
  }

  async #admit<Found>({ key, incoming }: Visit, find: FindByKey<Found>, show: ShowFound<Found>): Promise<Response> {
    const client = networkOf(incoming.address)
    const hash = createHash('sha256').update(key).digest('hex')
    const waitMs = this.#guesses.waitMs(client, hash)
    if (waitMs > 0) return guessedAnswer(waitMs)
    const found = await find(this.#parts, key)
    if (found === null) this.#guesses.noteWrong(client)
    else this.#guesses.noteRight(client, hash)
    return found === null ? this.#unknown() : show(found, incoming)
  }

  /** Responds to an error with a page. */
  async #answered(visit: Visit, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer()
    } catch (error) {
      // A link that is switched off gets the same response as an unknown link.
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
