import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Context, type Env, Hono } from 'hono'
import { html } from 'hono/html'
import type { AccountOfPerson, SignedIn } from '../../access/people/people.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import { blankAnswer } from '../../pipeline/run.ts'
import { only } from '../../runtime/errors.ts'
import { unavailableAnswer } from '../parts/answers.ts'
import { isOwnForm, readForm } from '../parts/form.ts'
import type { PageRequest, RequestOf } from '../parts/page-parts.ts'
import { DERIVED } from './derived/pages.ts'
import {
  bare,
  dashboardAnswer,
  failurePage,
  foreignFormPage,
  goFailed,
  goTo,
  refusedPage,
  sentFrom,
  unknownPage,
} from './kit/answers.ts'
import { RefusedError } from './kit/call.ts'
import { Catalogue } from './kit/catalogue.ts'
import { FileForms } from './kit/file-forms.ts'
import { refusalFor } from './kit/page-rights.ts'
import { BELOW, DASHBOARD_STYLE, scriptAt } from './kit/stylesheet.ts'
import type { At, DashboardContext, DashboardPage, DashboardParts, View } from './kit/visit.ts'
import { isOwnToken, visitOf } from './kit/visits.ts'
import { valueTitle } from './kit/words.ts'
import { HAND_MADE, VIEWS } from './pages.ts'

const pack = promisify(gzip)

/** The minimum size of a page to compress. Compressing smaller pages saves nothing. */
const MIN_COMPRESSED_BYTES = 1_400
/** The values of the header Sec-Fetch-Site for which `packed` compresses pages. */
const OWN_REQUESTS = ['same-origin', 'none']

/** The default maximum size of a form. Forms with files or Ruby programs have limits of their own. */
const FORM_BYTES = 512 * 1024

export function dashboardPages<E extends Env>(parts: DashboardParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const door = new Door<E>(parts, incomingOf)
  const fileForms = new FileForms(parts.bodies)

  app.use('/dashboard/*', async (context, next) => {
    await next()
    const answer = await packed(context.res, (name) => context.req.header(name))
    // The previous response is cleared first, because Hono would merge its headers into the new one.
    context.res = undefined
    context.res = answer
  })
  app.get(DASHBOARD_STYLE.address, DASHBOARD_STYLE.answer)
  app.get(`${BELOW}:script`, (context) => scriptAt(context.req.path)?.answer(context) ?? unknownScript())
  app.get('/dashboard', (context) => door.signedIn(incomingOf(context), (person) => firstPage(parts, person)))
  for (const page of [...handMade(parts), ...DERIVED]) addPage(app, door, { ...page, parts, fileForms })
  app.all('/dashboard/:account/*', (context) => door.visited(context, (visit) => unknownPage(visit)))
  return app
}

function handMade({ features }: DashboardParts): DashboardPage[] {
  return [...HAND_MADE, ...features.flatMap(({ pages = [] }) => pages)]
}

class Door<E extends Env> {
  readonly #parts: DashboardParts
  readonly #incomingOf: RequestOf<E>
  readonly #catalogue: Catalogue<View>
  readonly #pages: DashboardContext['pages']

  constructor(parts: DashboardParts, incomingOf: RequestOf<E>) {
    this.#parts = parts
    this.#incomingOf = incomingOf
    const views = [...VIEWS, ...parts.features.flatMap((feature) => feature.views ?? [])]
    this.#catalogue = new Catalogue(parts.pipeline, Object.fromEntries(views.map(({ noun, view }) => [noun, view])))
    this.#pages = Map.groupBy(handMade(parts), ({ path }) => path.split('/')[1] ?? '')
  }

  async signedIn(incoming: PageRequest, show: (person: SignedIn) => Promise<Response>): Promise<Response> {
    const person = await this.#parts.people.personOf(incoming.header)
    return person ? show(person) : goTo(signInAddress(incoming.request))
  }

  visited(
    context: Context<E>,
    show: (visit: DashboardContext, incoming: PageRequest) => Promise<Response>,
  ): Promise<Response> {
    const parts = this.#parts
    const incoming = this.#incomingOf(context)
    return this.signedIn(incoming, async (person) => {
      const memberships = await parts.people.accountsOf(person.userId)
      const membership = memberships.find(({ subdomain }) => subdomain === context.req.param('account'))
      if (!membership) return accountsPage(person, memberships, 404)
      const all = { parts, catalogue: this.#catalogue, pages: this.#pages }
      const visit = await visitOf(all, incoming, person, { memberships, membership })
      try {
        await parts.pipeline.budget.take(visit.caller, blankAnswer())
        requireMayOpen(visit, incoming)
        return await show(visit, incoming)
      } catch (error) {
        return failed(parts, visit, error)
      }
    })
  }
}

/** Throws `permission_denied` if the person may not open the page. The message names the roles that may. */
function requireMayOpen(visit: DashboardContext, { request }: PageRequest): void {
  const method = request.method === 'POST' ? 'POST' : 'GET'
  const refusal = refusalFor(visit, visit.path.slice(visit.base.length), method)
  if (refusal !== null) throw new ApiError('permission_denied', refusal)
}

async function firstPage(parts: DashboardParts, person: SignedIn): Promise<Response> {
  const memberships = await parts.people.accountsOf(person.userId)
  const [only, ...others] = memberships
  return only && others.length === 0 ? goTo(`/dashboard/${only.subdomain}`) : accountsPage(person, memberships)
}

interface AddedPage extends DashboardPage {
  parts: DashboardParts
  fileForms: FileForms
}

function addPage<E extends Env>(app: Hono<E>, door: Door<E>, page: AddedPage): void {
  const { parts, path, get, post, files, formBytes = FORM_BYTES } = page
  const address = `/dashboard/:account${path === '/' ? '' : path}`
  if (get) app.get(address, (context) => door.visited(context, (visit) => get(visit, atOf(context))))
  if (post)
    app.post(address, (context) =>
      door.visited(context, async (visit, incoming) => {
        const form = await ownForm(parts, visit, incoming, formBytes)
        return form ? post(visit, atOf(context), form) : foreignFormPage(visit)
      }),
    )
  if (files)
    app.post(address, (context) =>
      door.visited(context, (visit, incoming) => takeFiles(page, files, { visit, incoming, at: atOf(context) })),
    )
}

async function takeFiles(
  { parts, fileForms }: AddedPage,
  files: NonNullable<DashboardPage['files']>,
  { visit, incoming, at }: { visit: DashboardContext; incoming: PageRequest; at: At },
): Promise<Response> {
  if (!isOwnForm(incoming.header, parts.publicUrl)) return foreignFormPage(visit)
  const taken = fileForms.read(incoming, visit.caller.accountId, async (form) =>
    isOwnToken(parts, visit.person, form.field('csrf')) ? files.take(visit, at, form.files) : foreignFormPage(visit),
  )
  return taken.catch(only(ApiError, (error) => files.refuse(visit, at, error)))
}

function atOf<E extends Env>(context: Context<E>): At {
  return context.req.param() as At
}

/** Returns the form, or null if this dashboard did not show it in this session. */
async function ownForm(
  parts: DashboardParts,
  visit: DashboardContext,
  incoming: PageRequest,
  limitBytes: number,
): Promise<URLSearchParams | null> {
  if (!isOwnForm(incoming.header, parts.publicUrl)) return null
  const form = await readForm(parts.bodies, incoming, limitBytes)
  return isOwnToken(parts, visit.person, form.get('csrf') ?? '') ? form : null
}

/** Returns the address of the sign-in page. Only after GET and HEAD does the sign-in lead back to the requested page. */
function signInAddress({ method, url }: Request): string {
  const { pathname, search } = new URL(url)
  return method === 'GET' || method === 'HEAD' ? `/sign-in?next=${encodeURIComponent(pathname + search)}` : '/sign-in'
}

function unknownScript(): Response {
  return new Response('There is no such script.', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

async function failed(parts: DashboardParts, visit: DashboardContext, error: unknown): Promise<Response> {
  if (error instanceof RefusedError || error instanceof ApiError) return refused(visit, error)
  const { requestId } = visit.incoming
  parts.log.error({ err: error, requestId }, 'A page of the dashboard failed unexpectedly')
  const refusal = databaseRefusal(error)
  return refusal ? unavailableAnswer(refusal) : failurePage(visit, requestId)
}

/** Shows the error on the page that sent the form, if the browser names that page. */
function refused(visit: DashboardContext, error: RefusedError | ApiError): Response | Promise<Response> {
  const { status, message } = error
  if (status === 404) return unknownPage(visit)
  const from = visit.incoming.request.method === 'POST' && status !== 403 ? sentFrom(visit) : null
  return from === null ? refusedPage(visit, status, message) : goFailed(visit, from, message)
}

/**
 * Compresses pages only for requests from this site, and for addresses that the person opened directly. Pages contain a token and
 * repeat search terms, so another site could guess the token from the length of compressed responses (the BREACH attack).
 */
async function packed(answer: Response, header: (name: string) => string | undefined): Promise<Response> {
  const isPage = answer.headers.get('Content-Type')?.startsWith('text/html') && !answer.headers.has('Content-Encoding')
  if (!isPage || answer.body === null) return answer
  const headers = new Headers(answer.headers)
  headers.append('Vary', 'Accept-Encoding, Sec-Fetch-Site')
  const { status } = answer
  const takesIt = /\bgzip\b/.test(header('accept-encoding') ?? '')
  if (!takesIt || !OWN_REQUESTS.includes(header('sec-fetch-site') ?? ''))
    return new Response(answer.body, { status, headers })
  const page = new Uint8Array(await answer.arrayBuffer())
  if (page.length < MIN_COMPRESSED_BYTES) return new Response(page, { status, headers })
  headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  return new Response(new Uint8Array(await pack(page)), { status, headers })
}

/** Lists a person's accounts. It is also the response to addresses of accounts that the person does not belong to. */
function accountsPage({ name, email }: SignedIn, memberships: AccountOfPerson[], status = 200): Promise<Response> {
  const accounts = memberships.map(
    ({ subdomain, name: shop, role, test }) =>
      html`<li><a class="account-link" href="/dashboard/${subdomain}"><strong>${shop}</strong><span>${valueTitle(role)}${test ? ', test account' : ''}</span></a></li>`,
  )
  const list =
    accounts.length > 0
      ? html`<ul class="accounts">${accounts}</ul>`
      : html`<p>You are not a member of any account. Ask an account’s owner to invite ${email}.</p>`
  const missing =
    status === 404 ? html`<p class="notice" role="status">You are not a member of the account at this address.</p>` : ''
  const content = html`<main class="choose" id="content"><h1>Your accounts</h1><p class="lead">${name}, ${email}</p>${missing}${list}
<form method="post" action="/sign-out" data-turbo="false"><button>Sign out</button></form></main>`
  return dashboardAnswer(bare({ title: 'Your accounts' }, content), { status })
}
