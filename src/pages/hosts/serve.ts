import { databaseRefusal } from '../../pipeline/database-refusal.ts'
import { addressOfHost } from '../../resources/content/domain-names.ts'
import {
  domainOfWww,
  HOST_HEADERS,
  type HostParts,
  type HostRequest,
  hostMessage,
  hostOf,
  hostOwners,
  isServed,
} from './hosts.ts'

interface ServeOptions extends Pick<HostRequest, 'record'> {
  shopAt(domain: string): Promise<Response | null>
}

/** Responds to requests for hosts of features and shops. Returns null if the rest of the service has to respond. */
type HostServer = (
  request: Request,
  header: HostRequest['header'],
  options: ServeOptions,
) => Promise<Response | null> | null

/** Serves the pages of features and shops on their own hosts. Requests for these hosts never reach the rest of the service. */
export function hostServer(parts: HostParts): HostServer {
  const ownerOf = hostOwners(parts)
  return (request, header, { record, shopAt }) => {
    const host = hostOf(request.url)
    const owner = ownerOf(host)
    if (owner === 'service') return null
    const serve = async () => {
      for (const pages of parts.hostPages) {
        const answer = await pages.answer({ request, host, header, record })
        if (answer) return answer
      }
      return owner === 'feature' ? null : ((await shopAt(host)) ?? redirectFromWww(parts, request, host))
    }
    return serve().catch((error: unknown) => {
      // Health checks may use any host name and must work while the database is unavailable, so the service responds to them.
      const watches = owner === 'account' && HEALTH_CHECK_PATHS.includes(new URL(request.url).pathname)
      return watches ? null : failed(parts, host, error)
    })
  }
}

/** Redirects from a `www.` host, or returns null. Caches must revalidate the redirect, because the domain may change hands. */
async function redirectFromWww(parts: HostParts, { url }: Request, host: string): Promise<Response | null> {
  const domain = domainOfWww(host)
  if (domain === null || !(await isServed(parts, domain))) return null
  const { pathname, search } = new URL(url)
  const Location = `${addressOfHost(parts, domain)}${pathname}${search}`
  return new Response(null, { status: 301, headers: { ...HOST_HEADERS, 'Cache-Control': 'no-cache', Location } })
}

const HEALTH_CHECK_PATHS = ['/healthz', '/readyz']

function failed({ log }: HostParts, host: string, error: unknown): Promise<Response> {
  log.error({ err: error, host }, 'A host could not be served')
  const refusal = databaseRefusal(error)
  const words = 'Please try again in a moment.'
  return refusal
    ? hostMessage(refusal.status, 'The service is temporarily unavailable', words, refusal.headers)
    : hostMessage(500, 'Something went wrong on our side', words)
}
