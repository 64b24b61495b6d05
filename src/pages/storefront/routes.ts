import { type Env, Hono, type Context as Request } from 'hono'
import { html } from 'hono/html'
import { accountNamed, accountOf } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { opensAccess } from '../../resources/content/experience/access.ts'
import { LegalPage } from '../../resources/content/legal-page/legal-page.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { sendFile } from '../files/download.ts'
import { methodAnswer, unknownAnswer } from '../parts/answers.ts'
import { brandAnswer } from '../parts/brand.ts'
import type { PageParts } from '../parts/page-parts.ts'
import { accessedFile, accessedPage, accessPage } from './access.ts'
import { blogPage, postPage } from './blog.ts'
import { experiencePage } from './experience.ts'
import { robotsAnswer, shopFeed, shopRobots, shopSitemap } from './feeds.ts'
import { notModifiedOr, STOREFRONT_STYLE, shopAnswer, shopFrame, shopPage, unknownInShop } from './frame.ts'
import { homePage } from './home.ts'
import { pageNumber, prose } from './pieces.ts'
import { productPage } from './product.ts'

type StorefrontParts = Pick<PageParts, 'pipeline' | 'services' | 'database' | 'publicUrl'>

type ShowBySlug = (context: Context, slug: string) => Promise<Response | null>
type ShowByNumber = (context: Context, number: number) => Promise<Response | null>

const ALLOWED = 'GET, HEAD, OPTIONS'
/** Access to a file may end at any time, so browsers must revalidate cached files. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' }

export function storefrontPages<E extends Env>(parts: StorefrontParts): Hono<E> {
  const app = new Hono<E>()
  const add = (path: string, answer: (request: Request<E>) => Promise<Response | null>) => {
    app.get(path, async (request) => {
      const found = (await answer(request)) ?? (await unknownAnswer(`${parts.publicUrl}/`))
      return notModifiedOr(found, request.req.header('if-none-match'))
    })
    app.all(path, ({ req }) => methodAnswer(req.method, ALLOWED))
  }
  const ofShop = (show: ShowBySlug) => async (request: Request<E>) => {
    const accountId = await accountNamed(parts.database.read, request.req.param('shop')!)
    const known = async (context: Context) =>
      (await show(context, request.req.param('slug') ?? '')) ?? unknownInShop(context)
    return look(parts, accountId, known)
  }
  const inParts = (show: ShowByNumber) => (request: Request<E>) => {
    const number = pageNumber(request.req.query('page'))
    return ofShop(async (context) => (number === null ? null : show(context, number)))(request)
  }
  const ofCustomer = (show: (context: Context, customer: string, slug: string) => Promise<Response | null>) => {
    return async ({ req }: Request<E>) => {
      const customer = req.param('customer')!
      const accountId = await accountOfHolder(parts, customer, req.param('capability')!)
      return look(parts, accountId, (context) => show(context, customer, req.param('slug') ?? ''))
    }
  }
  const boughtFile = async ({ req }: Request<E>) => {
    const asked = { customer: req.param('customer')!, slug: req.param('slug')!, file: req.param('file')! }
    const accountId = await accountOfHolder(parts, asked.customer, req.param('capability')!)
    const found = await look(parts, accountId, (context) => accessedFile(context, asked))
    const sending = { method: req.method, header: (name: string) => req.header(name) ?? null, headers: REVALIDATE }
    return found && sendFile(parts, found, sending)
  }

  app.get(STOREFRONT_STYLE.address, STOREFRONT_STYLE.answer)
  add('/brand/:style', async ({ req }) => brandAnswer(req.path))
  add('/s/:shop', inParts(homePage))
  add('/robots.txt', async () => robotsAnswer())
  add('/s/:shop/robots.txt', ofShop(shopRobots))
  add('/s/:shop/feed.xml', ofShop(shopFeed))
  add('/s/:shop/sitemap.xml', ofShop(shopSitemap))
  add('/s/:shop/p/:slug', ofShop(productPage))
  add('/s/:shop/blog', inParts(blogPage))
  add('/s/:shop/blog/:slug', ofShop(postPage))
  add('/s/:shop/legal/:slug', ofShop(legalPage))
  add('/s/:shop/x/:slug', ofShop(experiencePage))
  add('/access/:customer/:capability', ofCustomer(accessPage))
  add('/access/:customer/:capability/:slug', ofCustomer(accessedPage))
  add('/access/:customer/:capability/:slug/files/:file', boughtFile)
  return app
}

/** Returns the account of a customer or order, or null if the secret in the URL is wrong. */
async function accountOfHolder(parts: StorefrontParts, holder: string, capability: string): Promise<string | null> {
  const table = Order.isId(holder) ? 'orders' : 'customers'
  return opensAccess(parts, holder, capability) ? accountOf(parts.database.read, table, holder) : null
}

async function look<Found>(
  { pipeline }: StorefrontParts,
  accountId: string | null,
  show: (context: Context) => Promise<Found | null>,
): Promise<Found | null> {
  if (accountId === null) return null
  const visitor: BuyerCaller = { kind: 'buyer', accountId, checkoutId: 'none' }
  return pipeline.visits.look(visitor, show)
}

/** Returns null if no published page has this slug. */
async function legalPage(context: Context, slug: string): Promise<Response | null> {
  const page = await findRow(context, LegalPage, slug)
  if (!page?.published) return null
  const frame = await shopFrame(context)
  const { title, content } = page
  const about = { title, url: `${frame.url}/legal/${page.slug}` }
  return shopAnswer(shopPage(about, frame, html`<h1>${title}</h1>${prose(content)}`))
}
