import { type Env, Hono } from 'hono'
import { accountOf } from '../../../access/account-of.ts'
import type { VisitorCaller } from '../../../contract/declarations/caller.ts'
import { FORM_REFUSALS } from '../../../pages/forms/document.ts'
import { methodAnswer, pageAnswer, seeOther, unknownAnswer } from '../../../pages/parts/answers.ts'
import { PostLimit, readForm } from '../../../pages/parts/form.ts'
import { Gate, visitorBy, visitsBy } from '../../../pages/parts/gate.ts'
import type { Problem } from '../../../pages/parts/markup.ts'
import type { PageParts, PageRequest, RequestOf } from '../../../pages/parts/page-parts.ts'
import { type Asked, problemOf } from '../../../pages/parts/problem-words.ts'
import { requireRow } from '../../../records/records.ts'
import { currentAccount } from '../../../resources/company/account/current.ts'
import { idOfSecret, secretOf } from '../../../resources/sales/secret.ts'
import { type AccessField, type Credentials, clientPath, PlatformRefusedError } from '../providers/provider.ts'
import { readState, type State } from '../resources/social-account/authorization.ts'
import { ACCESS_EVENTS, declineAccess, offerAccess } from '../resources/social-account/check-access.ts'
import { USERNAME } from '../resources/social-account/credentials.ts'
import { SocialAccount } from '../resources/social-account/social-account.ts'
import { PLATFORMS, platformOf } from '../resources/social-platform/platforms.ts'
import { Authorizer, type PendingAuthorization } from './authorize.ts'
import { browserCookie, browserIn, newBrowser } from './browser.ts'
import { BY_ENTRY, type ConnectView, connectPage, endedPage, leavingPage, lostPage } from './connect-page.ts'
import { simulatedPages, visitorOf } from './simulated.ts'
import { SOCIAL_STYLE } from './stylesheet.ts'

/** The number of seconds for which networks may cache the client metadata. */
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
  const [connect, simulated] = [new ConnectPage(parts), simulatedPages(parts)]
  const callback = callbackPage(parts, connect)
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
    return arrival.get(arriving, returningPersonOf, callback(platform, server))
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

/**
 * Returns the page behind the redirect URL to which networks send people back. Each platform has a fixed redirect URL, or one for
 * each of its servers.
 */
function callbackPage(parts: PageParts, connect: ConnectPage) {
  const authorizer = new Authorizer(parts)
  /** Accepts a state only once, and only in the browser that started the authorization. Then requests access from the network. */
  return (platform: string, server: string | undefined) =>
    async ({ accountId, state }: ReturningPerson, { request, header }: PageRequest): Promise<Response> => {
      const browser = browserIn(header, parts.publicUrl)
      const back = await authorizer.back(accountId, state, { platform, server, browser })
      if (back === null || browser === null) return lostAnswer(nameOf(platform))
      const caller: VisitorCaller = { kind: 'visitor', accountId, pageId: back.account }
      const { address, open, account } = await connect.connecting(caller, browser)
      if (!open) return seeOther(address)
      const provider = parts.services.social.named(account.provider)
      const returned = { kept: back.kept, query: queryOf(request) }
      await authorizer.finish({ caller, platform: account.platform, provider, browser }, returned, account.username)
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

const USERNAME_ASKED: Asked = { id: 'username', label: 'Account name', kind: 'text' }

/** The query parameter with which our forms redirect when they are done. */
const DONE_PARAMETER = 'done'

/** Finds the visitor who holds the connect_url of a social account. */
const connectorOf = visitorBy('social_accounts', (parts, secret) => idOfSecret(parts, SocialAccount, secret))

interface SentForm {
  caller: VisitorCaller
  connecting: ConnectView
  form: URLSearchParams
  incoming: PageRequest
}

/** The page where a person allows access to a social account. For simulated platforms, it also takes the place of the network's page. */
class ConnectPage {
  readonly #parts: PageParts
  readonly #authorizer: Authorizer

  constructor(parts: PageParts) {
    this.#parts = parts
    this.#authorizer = new Authorizer(parts)
  }

  get = async (caller: VisitorCaller, { request, header }: PageRequest): Promise<Response> => {
    const query = new URL(request.url).searchParams
    const connecting = await this.connecting(caller, browserIn(header, this.#parts.publicUrl))
    if (!connecting.open) return endedAnswer(connecting, query.has(DONE_PARAMETER))
    return pageAnswer(connectPage(connecting, { problems: [], form: new URLSearchParams(), byEntry: query.has('by') }))
  }

  post = async (caller: VisitorCaller, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.#parts.bodies, incoming)
    const connecting = await this.connecting(caller, browserIn(incoming.header, this.#parts.publicUrl))
    if (!connecting.open) return seeOther(connecting.address)
    const sent = { caller, connecting, form, incoming }
    const pressed = form.get('do')
    if (pressed === 'continue' && connecting.asks) return this.#leave(sent)
    if (pressed === 'choose' && connecting.choices.length > 0) return this.#choose(sent)
    if (pressed === 'again') return this.#chooseAgain(sent)
    if (pressed === 'allow' && (connecting.simulation || connecting.entry)) return this.#allow(sent)
    return this.#decline(sent)
  }

  /** Loads the data of the page. `browser` is the secret in the cookie of the person's browser. */
  connecting(caller: VisitorCaller, browser: string | null): Promise<ConnectView> {
    return this.#parts.pipeline.visits.look(caller, async (context) => {
      const account = await requireRow(context, SocialAccount, caller.pageId)
      const shop = await currentAccount(context)
      const { simulation, authorization, entry } = context.services.social.named(account.provider)
      const open = account.connecting
      return {
        ...{ account, open, simulation },
        address: `/social/connect/${secretOf(context, SocialAccount, account.id)}`,
        platform: platformOf(account.platform).name,
        frame: { shop: { name: shop.name, email: shop.support_email }, test: false, style: SOCIAL_STYLE.address },
        asks: authorization?.asks ?? null,
        entry: entry ?? null,
        choices: open && authorization ? await this.#authorizer.choices(caller, browser) : [],
      }
    })
  }

  /** Sends the person to the network's page. It uses a Refresh header, because the policy forbids redirects of forms to other sites. */
  async #leave({ caller, connecting, form, incoming }: SentForm): Promise<Response> {
    const { publicUrl, services } = this.#parts
    const { platform, provider: name } = connecting.account
    const { credentials, problems } = readAccess(form, connecting.asks ?? [])
    if (problems.length > 0) return refusedAnswer(connecting, { problems, form })
    const browser = browserIn(incoming.header, publicUrl) ?? newBrowser()
    const authorizing: PendingAuthorization = { caller, platform, provider: services.social.named(name), browser }
    const begun = await this.#authorizer.begin(authorizing, credentials)
    if ('refused' in begun)
      return refusedAnswer(connecting, { problems: [{ field: null, message: begun.refused }], form })
    return pageAnswer(leavingPage(connecting, begun.url), {
      headers: { 'Set-Cookie': browserCookie(browser, publicUrl) },
      refresh: { seconds: 0, address: begun.url },
    })
  }

  async #allow({ caller, connecting, form }: SentForm): Promise<Response> {
    const { simulation, entry, asks, address } = connecting
    const { credentials, problems } = simulation ? readSimulated(form, connecting) : readAccess(form, entry ?? [])
    if (problems.length > 0) return refusedAnswer(connecting, { problems, form, byEntry: true })
    await this.#offer(caller, credentials)
    return seeOther(`${address}?${!simulation && asks ? `${BY_ENTRY}&` : ''}${DONE_PARAMETER}`)
  }

  async #choose({ caller, connecting, form }: SentForm): Promise<Response> {
    const choice = connecting.choices[Number(form.get('choice') ?? Number.NaN)]
    if (!choice) {
      const problems = [{ field: 'choice', message: 'Choose one from the list.' }]
      return refusedAnswer(connecting, { problems, form })
    }
    await this.#authorizer.choose(caller, choice)
    return seeOther(`${connecting.address}?${DONE_PARAMETER}`)
  }

  async #chooseAgain({ caller, connecting }: SentForm): Promise<Response> {
    await this.#authorizer.forget(caller)
    return seeOther(connecting.address)
  }

  async #offer(caller: VisitorCaller, credentials: Credentials): Promise<void> {
    const { visits } = this.#parts.pipeline
    await visits.act(caller, ACCESS_EVENTS, (context) => offerAccess(context, caller.pageId, credentials))
  }

  async #decline({ caller, connecting }: SentForm): Promise<Response> {
    const { visits } = this.#parts.pipeline
    await visits.act(caller, ACCESS_EVENTS, (context) => declineAccess(context, caller.pageId))
    return seeOther(`${connecting.address}?${DONE_PARAMETER}`)
  }
}

function refusedAnswer(connecting: ConnectView, entered: Parameters<typeof connectPage>[1]): Promise<Response> {
  return pageAnswer(connectPage(connecting, entered), { status: 422 })
}

/** Shows that the request is over. A person who has just sent the form is redirected to the shop's URL, if there is one. */
function endedAnswer(connecting: ConnectView, done: boolean): Promise<Response> {
  const { redirect_url, id, status } = connecting.account
  const page = endedPage(connecting)
  if (!done || redirect_url === null) return pageAnswer(page)
  const target = new URL(redirect_url)
  target.searchParams.set('social_account', id)
  target.searchParams.set('status', status)
  return pageAnswer(page, { refresh: { seconds: 0, address: target.href } })
}

interface ParsedCredentials {
  credentials: Credentials
  problems: Problem[]
}

/** Parses the form of a simulated platform into the credentials that the platform checks. */
function readSimulated(form: URLSearchParams, { account, simulation }: ConnectView): ParsedCredentials {
  const token = form.get('token') ?? ''
  const problems: Problem[] = []
  if (!simulation?.some((one) => one.token === token))
    problems.push({ field: 'token', message: 'Choose an option from the list.' })
  if (account.username !== null) return { credentials: { token }, problems }
  const username = USERNAME.spec.schema.safeParse(form.get('username') ?? '')
  if (!username.success) problems.push(problemOf(USERNAME_ASKED, username.error.issues[0]!.message))
  return { credentials: { token, username: String(username.data ?? '').replace(/^@/, '') }, problems }
}

function readAccess(form: URLSearchParams, fields: readonly AccessField[]): ParsedCredentials {
  const given = fields.map(({ name, label, optional }) => ({
    ...{ name, label, optional },
    value: (form.get(name) ?? '').trim(),
  }))
  const problems = given
    .filter(({ value, optional }) => value === '' && !optional)
    .map(({ name, label }) => problemOf({ id: name, label, kind: 'text' }, "can't be blank"))
  return {
    credentials: Object.fromEntries(given.filter(({ value }) => value !== '').map(({ name, value }) => [name, value])),
    problems,
  }
}
