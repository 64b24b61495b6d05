import type { Context, Env, MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import { accountAt, domainNamed } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { addressOfHost } from '../../resources/content/domain-names.ts'
import type { PageParts } from '../parts/page-parts.ts'
import { unknownInShop } from './frame.ts'

type ShopServerParts = Pick<PageParts, 'pipeline' | 'database' | 'publicUrl'>

export interface OwnDomain {
  /** The path of the requested page on the service's own host. */
  path: string
  /** The origin has no slash at the end. */
  origin: string
}

/** Matches the paths of a shop's own domain, which are equal to those below the shop's path on the service. */
const SHOP_PATH = /^\/(?:feed\.xml|sitemap\.xml|robots\.txt|blog|access|(?:p|blog|legal|x|access)\/.+)$/
/** Matches the paths of stylesheets and icons, which are the same on every host. */
const SHARED_PATH = /^\/(?:favicon\.(?:svg|ico)|(?:brand|checkout|s)\/[\w.-]+\.css)$/

/** Responds for the shop at a domain, or returns null if the domain has no shop. The domain serves nothing else of the service. */
export function shopServer({ pipeline, database, publicUrl }: ShopServerParts) {
  return async (
    request: Request,
    domain: string,
    answerAt: (ownDomain: OwnDomain) => Response | Promise<Response>,
  ): Promise<Response | null> => {
    const shop = await accountAt(database.read, domain)
    if (shop === null) return null
    const path = pathOf(getPath(request), shop.subdomain)
    const visitor: BuyerCaller = { kind: 'buyer', accountId: shop.id, checkoutId: 'none' }
    const answer =
      path === null
        ? await pipeline.visits.look(visitor, unknownInShop)
        : await answerAt({ path, origin: addressOfHost({ publicUrl }, domain) })
    return withFiles(answer, new URL(publicUrl).origin)
  }
}

function pathOf(path: string, subdomain: string): string | null {
  if (path === '/') return `/s/${subdomain}`
  if (SHOP_PATH.test(path)) return `/s/${subdomain}${path}`
  return SHARED_PATH.test(path) ? path : null
}

/** Allows images and videos from the service's origin in the policy, because the shop's files are there. */
function withFiles(answer: Response, origin: string): Response {
  const policy = answer.headers.get('content-security-policy')
  if (policy === null) return answer
  const headers = new Headers(answer.headers)
  headers.set('Content-Security-Policy', policy.replaceAll(/\b(img|media)-src 'self'/g, `$1-src 'self' ${origin}`))
  return new Response(answer.body, { status: answer.status, headers })
}

/** Redirects from a shop's path on the service to the shop's own domain. The shop may give up the domain, so caches must revalidate. */
export function movedShops<E extends Env>(
  { database, publicUrl }: ShopServerParts,
  isAtDomain: (context: Context<E>) => boolean,
): MiddlewareHandler<E> {
  return async (context, next) => {
    const { method, raw } = context.req
    if ((method !== 'GET' && method !== 'HEAD') || isAtDomain(context)) return next()
    const { pathname, search } = new URL(raw.url)
    const [, subdomain, rest = ''] = /^\/s\/([a-z0-9-]+)(\/.*)?$/.exec(pathname) ?? []
    const domain = subdomain === undefined ? null : await domainNamed(database.read, subdomain)
    if (domain === null) return next()
    const Location = `${addressOfHost({ publicUrl }, domain)}${rest}${search}`
    const headers = { Location, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' }
    return new Response(null, { status: 301, headers })
  }
}
