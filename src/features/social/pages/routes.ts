import { type Env, Hono } from 'hono'
import { accountOf } from '../../../access/account-of.ts'
import type { VisitorCaller } from '../../../contract/declarations/caller.ts'
import { FORM_REFUSALS } from '../../../pages/forms/document.ts'
import { Gate, visitsBy } from '../../../pages/parts/gate.ts'
import type { RequestOf } from '../../../pages/parts/parts.ts'
import {
  methodAnswer,
  type PageParts,
  type PageRequest,
  PostLimit,
  pageAnswer,
  seeOther,
  unknownAnswer,
} from '../../../pages/parts/parts.ts'
import { clientPath, PlatformRefusedError } from '../providers/provider.ts'
import { readState, type State } from '../resources/social-account/authorization.ts'
import { PLATFORMS } from '../resources/social-platform/platforms.ts'
import { Authorizer } from './authorize.ts'
import { browserIn } from './browser.ts'
import { ConnectPage, connectorOf } from './connect.ts'
import { lostPage } from './connect-page.ts'
import { SimulatedPages, visitorOf } from './simulated.ts'
import { SOCIAL_STYLE } from './stylesheet.ts'

/** The seconds for which networks may cache the client metadata. */
const METADATA_CACHE_SECONDS = 600

/** Routes of social accounts: the pages for allowing access, and the pages of the simulated platform. */
export function socialPages<E extends Env>(parts: PageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const posts = new PostLimit('social accounts', parts, { ofClient: parts.postsPerMinute })
  const options = { posts, refusals: FORM_REFUSALS }
  const gate = new Gate(parts, options)
  const arrivals = new Map(
    PLATFORMS.map((one) => [
      String(one.platform),
      new Gate(parts, { ...options, unknown: () => lostAnswer(one.name) }),
    ]),
  )
  const [connect, simulated] = [new ConnectPage(parts), new SimulatedPages(parts)]
  const callback = new CallbackPage(parts, connect)
  const visit = visitsBy(incomingOf)

  app.get(SOCIAL_STYLE.address, SOCIAL_STYLE.answer)
  app.get('/social/connect/:key', (context) => gate.get(visit(context), connectorOf, connect.get))
  app.post('/social/connect/:key', (context) => gate.post(visit(context), connectorOf, connect.post))
  app.get('/social/callback/:platform/:server?', (context, next) => {
    const { platform, server } = context.req.param()
    const arrival = arrivals.get(platform)
    // A state works only once, and a HEAD request must not use it up.
    if (!arrival || context.req.method !== 'GET') return next()
    const arriving = { path: context.req.path, key: context.req.query('state') ?? '', incoming: incomingOf(context) }
    return arrival.get(arriving, returningPersonOf, callback.get(platform, server))
  })
  app.get('/social/clients/:file', (context) => clientAnswer(parts, context.req.param('file')))
  app.get('/social/sandbox/accounts/:key', (context) => gate.get(visit(context), visitorOf.profile, simulated.profile))
  app.get('/social/sandbox/posts/:key', (context) => gate.get(visit(context), visitorOf.post, simulated.post))
  app.all('/social/*', (context) => methodAnswer(context.req.method))
  return app
}

/** Responds with the client metadata, which a network reads before people can allow access, or with a 404. */
function clientAnswer(parts: PageParts, file: string): Response | Promise<Response> {
  const document = documentAt(parts, file)
  if (document === null) return unknownAnswer(`${parts.publicUrl}/`)
  return Response.json(document, { headers: { 'Cache-Control': `public, max-age=${METADATA_CACHE_SECONDS}` } })
}

function documentAt({ services, publicUrl }: PageParts, file: string): object | null {
  const platform = PLATFORMS.find((one) => clientPath(one.platform).endsWith(`/${file}`))?.platform
  if (platform === undefined) return null
  const provider = services.social.providerFor({ platform, test: false })
  try {
    return provider?.authorization?.document?.({ publicUrl, platform }) ?? null
  } catch (error) {
    if (error instanceof PlatformRefusedError) return null
    throw error
  }
}

/** Limits on the query of a network's redirect: the number of parameters, and the length of each value in characters. */
const MAX_PARAMETERS = 20
const MAX_VALUE = 4_000

/** The account and the state of a person whom a network redirects back. */
interface ReturningPerson {
  accountId: string
  state: State
}

/** Returns the person to whom a state belongs, or null if the state is unknown. */
async function returningPersonOf({ database }: PageParts, written: string): Promise<ReturningPerson | null> {
  const state = readState(written)
  const accountId = state && (await accountOf(database.read, 'social_authorizations', state.id))
  return state && accountId !== null ? { accountId, state } : null
}

/** The page behind the redirect URL to which networks send people back. Each platform has a fixed redirect URL. */
class CallbackPage {
  readonly #parts: PageParts
  readonly #authorizer: Authorizer
  readonly #connect: ConnectPage

  constructor(parts: PageParts, connect: ConnectPage) {
    this.#parts = parts
    this.#authorizer = new Authorizer(parts)
    this.#connect = connect
  }

  /** Accepts a state only once, and only in the browser that started the authorization. Then requests the access from the network. */
  get =
    (platform: string, server: string | undefined) =>
    async ({ accountId, state }: ReturningPerson, { request, header }: PageRequest): Promise<Response> => {
      const browser = browserIn(header, this.#parts.publicUrl)
      const back = await this.#authorizer.back(accountId, state, { platform, server, browser })
      if (back === null || browser === null) return lostAnswer(nameOf(platform))
      const caller: VisitorCaller = { kind: 'visitor', accountId, pageId: back.account }
      const { address, open, account } = await this.#connect.connecting(caller, browser)
      if (!open) return seeOther(address)
      const provider = this.#parts.services.social.named(account.provider)
      const returned = { kept: back.kept, query: queryOf(request) }
      await this.#authorizer.finish(
        { caller, platform: account.platform, provider, browser },
        returned,
        account.username,
      )
      return seeOther(`${address}?done`)
    }
}

/** The page for a state that was used, is too old, or was never issued. */
function lostAnswer(platform: string): Promise<Response> {
  return pageAnswer(lostPage(platform), { status: 400 })
}

function nameOf(platform: string): string {
  return PLATFORMS.find((one) => one.platform === platform)?.name ?? 'The network'
}

function queryOf({ url }: Request): Record<string, string> {
  const pairs = [...new URL(url).searchParams].slice(0, MAX_PARAMETERS)
  return Object.fromEntries(pairs.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]))
}
