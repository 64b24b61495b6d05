import { type Env, Hono, type Context as Request } from 'hono'
import { accountNamed, accountOf } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/caller.ts'
import type { Database } from '../../database/database.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Context } from '../../records/context.ts'
import type { Services } from '../../records/services.ts'
import { opensAccess } from '../../resources/content/experience/access.ts'
import type { Tables } from '../../resources/tables.ts'
import { methodAnswer, unknownAnswer } from '../parts/refusals.ts'
import { accessedPage, accessPage } from './access.ts'
import { unlessHeld } from './answers.ts'
import { blogPage, postPage } from './blog.ts'
import { experiencePage } from './experience.ts'
import { homePage } from './home.ts'
import { legalPage } from './legal.ts'
import { pageNumber } from './paging.ts'
import { productPage } from './product.ts'
import { STOREFRONT_STYLE } from './stylesheet.ts'
import { unknownInShop } from './unknown.ts'

export interface StorefrontParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
  publicUrl: string
}

type Show = (context: Context, slug: string) => Promise<Response | null>
type ShowPage = (context: Context, number: number) => Promise<Response | null>

/** What can be done at these addresses: they are only read. */
const ALLOWED = 'GET, HEAD, OPTIONS'

/** What visitors read of a shop. */
export function storefrontPages<E extends Env>(parts: StorefrontParts): Hono<E> {
  const app = new Hono<E>()
  const add = (path: string, answer: (request: Request<E>) => Promise<Response | null>) => {
    app.get(path, async (request) => {
      const found = (await answer(request)) ?? (await unknownAnswer(`${parts.publicUrl}/`))
      return unlessHeld(found, request.req.header('if-none-match'))
    })
    app.all(path, ({ req }) => methodAnswer(req.method, ALLOWED))
  }
  const ofShop = (show: Show) => async (request: Request<E>) => {
    const accountId = await accountNamed(parts.database.read, request.req.param('shop')!)
    const known = async (context: Context) =>
      (await show(context, request.req.param('slug') ?? '')) ?? unknownInShop(context)
    return look(parts, accountId, known)
  }
  const inParts = (show: ShowPage) => (request: Request<E>) => {
    const number = pageNumber(request.req.query('page'))
    return ofShop(async (context) => (number === null ? null : show(context, number)))(request)
  }
  const ofCustomer = (show: (context: Context, customer: string, slug: string) => Promise<Response | null>) => {
    return async ({ req }: Request<E>) => {
      const customer = req.param('customer')!
      const isHolder = opensAccess(parts, customer, req.param('capability')!)
      const accountId = isHolder ? await accountOf(parts.database.read, 'customers', customer) : null
      return look(parts, accountId, (context) => show(context, customer, req.param('slug') ?? ''))
    }
  }

  app.get(STOREFRONT_STYLE.address, STOREFRONT_STYLE.answer)
  add('/s/:shop', inParts(homePage))
  add('/s/:shop/p/:slug', ofShop(productPage))
  add('/s/:shop/blog', inParts(blogPage))
  add('/s/:shop/blog/:slug', ofShop(postPage))
  add('/s/:shop/legal/:slug', ofShop(legalPage))
  add('/s/:shop/x/:slug', ofShop(experiencePage))
  add('/access/:customer/:capability', ofCustomer(accessPage))
  add('/access/:customer/:capability/:slug', ofCustomer(accessedPage))
  return app
}

/** Pages only read. */
async function look(
  { pipeline }: StorefrontParts,
  accountId: string | null,
  show: (context: Context) => Promise<Response | null>,
): Promise<Response | null> {
  if (accountId === null) return null
  const visitor: BuyerCaller = { kind: 'buyer', accountId, checkoutId: 'none' }
  return pipeline.visits.look(visitor, show)
}
