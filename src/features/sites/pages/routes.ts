import { type Env, Hono } from 'hono'
import { idPattern } from '../../../contract/values/ids.ts'
import { refused, slowDown } from '../../../pages/parts/answers.ts'
import { PostLimit } from '../../../pages/parts/form.ts'
import type { PageRequest, PersonPageParts, RequestOf } from '../../../pages/parts/page-parts.ts'
import { addressOfHost } from '../../../resources/content/domain-names.ts'
import { hostsOf } from '../resources/ai-site/address.ts'
import { AiSite } from '../resources/ai-site/ai-site.ts'
import { makePass } from '../resources/ai-site/passes.ts'
import { findServed, mayVisit } from '../resources/ai-site/served.ts'
import { ENTRANCE } from './serve.ts'

/** The maximum number of visits per client and minute. */
const VISITS_PER_MINUTE = 600
const SITE_ID = idPattern(AiSite.prefix)

/** The route that lets a person into a private site. */
export function siteAddresses<E extends Env>(parts: PersonPageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const asks = new PostLimit('visits of sites', parts, { ofClient: VISITS_PER_MINUTE })
  app.get('/site-visits/:id', async (context) => {
    const incoming = incomingOf(context)
    const seconds = await asks.waitSeconds(incoming.address)
    if (seconds > 0) return slowDown('Too many visits were asked for from your network.', seconds)
    return letIn(parts, incoming, context.req.param('id'))
  })
  return app
}

/** Redirects a person who may visit a private site back to the site with a pass. Other people learn nothing about the site. */
async function letIn(parts: PersonPageParts, { header, request }: PageRequest, id: string): Promise<Response> {
  const { searchParams, pathname, search } = new URL(request.url)
  const person = await parts.people.personOf(header)
  if (!person) return redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`)
  const site = SITE_ID.test(id) ? await findServed(parts.database.read, { id }) : null
  const host = searchParams.get('host') ?? ''
  if (!site || !hostsOf(parts, site).includes(host) || !(await mayVisit(parts.database.read, site, person.userId)))
    return refused(403, {
      title: 'This site is not open to you',
      words:
        'Its owner decides who can visit it. You may be signed in with another account than the one that you need.',
      way: { url: `${parts.publicUrl}/dashboard`, words: 'Go to the dashboard' },
    })
  const { database, services } = parts
  const pass = await makePass({ database, vault: services.vault, place: { site: site.id, host } }, person.userId)
  const query = new URLSearchParams({ pass, path: searchParams.get('path') ?? '/' })
  return redirect(`${addressOfHost(parts, host)}${ENTRANCE}?${query}`)
}

function redirect(Location: string): Response {
  const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location }
  return new Response(null, { status: 303, headers })
}
