import { type Env, Hono, type Context as HonoContext } from 'hono'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { signOut } from '../../resources/audience/customer/sign-in.ts'
import { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { invoicePaper } from '../../resources/sales/invoice/paper.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { hasReceipt, receiptOf } from '../../resources/sales/order/receipt.ts'
import type { Paper } from '../../resources/sales/paper.ts'
import { CardPage } from '../checkout/other-card.ts'
import { BUYER_REFUSALS } from '../checkout/other-card-routes.ts'
import { sendFile } from '../files/download.ts'
import { methodAnswer, seeOther, slowDown } from '../parts/answers.ts'
import { PostLimit } from '../parts/form.ts'
import { Gate } from '../parts/gate.ts'
import type { PageParts, PageRequest, RequestOf } from '../parts/page-parts.ts'
import { paperAnswer } from '../pdf/draw.ts'
import { accessedFile, accessedPage } from '../storefront/access.ts'
import { unknownInShop } from '../storefront/frame.ts'
import { pageNumber } from '../storefront/pieces.ts'
import { AskPage, LinkPages } from './ask.ts'
import { DetailsPage } from './details.ts'
import { homePage } from './home.ts'
import { type Buyer, type BuyersShop, buyerIn, forgottenCookie, shopNamed } from './session.ts'
import { SubscriptionPage } from './subscription.ts'

const HOME = '/s/:shop/access'
/** Access to a file may end at any time, so browsers must revalidate cached files. */
const REVALIDATE = { 'Cache-Control': 'private, no-cache' }
/** The limit on PDFs for one customer, because drawing one takes a few hundredths of a second. */
const PAPERS_PER_CUSTOMER = { name: 'papers of a buyer', perMinute: 30, burst: 30 }

type PathParameters = Record<string, string>
type ShopHandler = (shop: BuyersShop, incoming: PageRequest, at: PathParameters) => Promise<Response>
type BuyerHandler = (buyer: Buyer, incoming: PageRequest, at: PathParameters) => Promise<Response | null>

export function accessPages<E extends Env>(parts: PageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const add = routeAdder(app, parts, incomingOf)
  const signed = signedIn(parts)
  const ask = new AskPage(parts)
  const links = new LinkPages(parts)
  const [subscription, details, card] = [new SubscriptionPage(parts), new DetailsPage(parts), new CardPage(parts)]
  const holder = ({ caller, path, origin }: Buyer) => {
    return { caller, customer: caller.customerId, home: path, address: `${path}/card`, origin }
  }

  add(HOME, {
    async get(shop, incoming, at) {
      const buyer = await buyerIn(parts, shop, incoming.header)
      return buyer ? signed(home(parts))(shop, incoming, at) : ask.get(shop)
    },
    post: ask.post,
  })
  add(`${HOME}/link/:secret`, {
    get: (shop, _, { secret = '' }) => links.open(shop, secret),
    post: (shop, _, { secret = '' }) => links.use(shop, secret),
  })
  add(`${HOME}/address/:secret`, {
    get: (shop, _, { secret = '' }) => links.openAddress(shop, secret),
    post: (shop, _, { secret = '' }) => links.useAddress(shop, secret),
  })
  add(`${HOME}/details`, { get: signed(details.get), post: signed(details.post) })
  add(`${HOME}/card`, {
    get: signed((buyer, incoming) => card.get(holder(buyer), incoming)),
    post: signed((buyer, incoming) => card.post(holder(buyer), incoming)),
  })
  add(`${HOME}/subscriptions/:id`, {
    get: signed((buyer, incoming, { id = '' }) => subscription.get(buyer, incoming, id)),
    post: signed((buyer, incoming, { id = '' }) => subscription.post(buyer, incoming, id)),
  })
  add(`${HOME}/sign-out`, { get: signed(async ({ path }) => seeOther(path)), post: signed(signsOut(parts)) })
  add(`${HOME}/orders/:id/receipt.pdf`, { get: signed((buyer, _, { id = '' }) => receiptFile(parts, buyer, id)) })
  add(`${HOME}/invoices/:id/invoice.pdf`, { get: signed((buyer, _, { id = '' }) => invoiceFile(parts, buyer, id)) })
  add(`${HOME}/x/:slug`, { get: signed(content(parts)) })
  add(`${HOME}/x/:slug/files/:file`, { get: signed(boughtFile(parts)) })
  return app
}

function routeAdder<E extends Env>(app: Hono<E>, parts: PageParts, incomingOf: RequestOf<E>) {
  const posts = new PostLimit('pages of buyers', parts, { ofClient: parts.postsPerMinute })
  const gate = new Gate(parts, { posts, refusals: BUYER_REFUSALS })
  return (path: string, { get, post }: { get: ShopHandler; post?: ShopHandler }) => {
    const visit = (context: HonoContext<E>) => {
      const incoming = incomingOf(context)
      const { path } = context.req
      const address = (incoming.ownDomain ?? parts.publicUrl) + new URL(incoming.request.url).pathname
      return { path, address, key: context.req.param('shop') ?? '', incoming }
    }
    const answers = (method: 'get' | 'post', show: ShopHandler) => (context: HonoContext<E>) => {
      const asked = visit(context)
      const at = Object.fromEntries(Object.entries<string>(context.req.param()))
      return gate[method](asked, findAt(asked.incoming), (shop, incoming) => show(shop, incoming, at))
    }
    app.get(path, answers('get', get))
    if (post) app.post(path, answers('post', post))
    app.all(path, (context) => methodAnswer(context.req.method, post ? undefined : 'GET, HEAD, OPTIONS'))
  }
}

function findAt({ ownDomain }: PageRequest) {
  return (parts: PageParts, subdomain: string) => shopNamed(parts, subdomain, ownDomain)
}

/** Wraps a page for signed-in buyers. Other visitors are redirected to the sign-in form. */
function signedIn(parts: PageParts) {
  return (show: BuyerHandler): ShopHandler =>
    async (shop, incoming, at) => {
      const buyer = await buyerIn(parts, shop, incoming.header)
      if (!buyer) return seeOther(shop.path)
      incoming.noteCaller(buyer.caller)
      return (await show(buyer, incoming, at)) ?? parts.pipeline.visits.look(buyer.caller, unknownInShop)
    }
}

function home(parts: PageParts): BuyerHandler {
  return async (buyer, { request }) => {
    const number = pageNumber(new URL(request.url).searchParams.get('page') ?? undefined)
    if (number === null) return null
    return parts.pipeline.visits.look(buyer.caller, (context) => homePage(context, buyer, number))
  }
}

function signsOut(parts: PageParts): BuyerHandler {
  return async (buyer) => {
    await parts.pipeline.visits.act(buyer.caller, [], (context) => signOut(context, buyer.customer.id, buyer.secret))
    return seeOther(buyer.path, { 'Set-Cookie': forgottenCookie(parts, buyer) })
  }
}

/** Returns null if the order does not exist, belongs to someone else, or has no receipt. */
function receiptFile(parts: PageParts, buyer: Buyer, id: string): Promise<Response | null> {
  return fileOf(parts, buyer, async (context) => {
    const order = ownedBy(await findRow(context, Order, id), buyer)
    return order && hasReceipt(order) ? receiptOf(context, order) : null
  })
}

function invoiceFile(parts: PageParts, buyer: Buyer, id: string): Promise<Response | null> {
  return fileOf(parts, buyer, async (context) => {
    const invoice = ownedBy(await findRow(context, Invoice, id), buyer)
    return invoice && invoicePaper(context, invoice)
  })
}

async function fileOf(
  parts: PageParts,
  { caller }: Buyer,
  write: (context: Context) => Promise<Paper | null>,
): Promise<Response | null> {
  const wait = await parts.takeTurn(caller.customerId, PAPERS_PER_CUSTOMER)
  if (wait > 0) return slowDown('You have opened very many documents.', wait)
  const paper = await parts.pipeline.visits.look(caller, write)
  return paper && paperAnswer(paper)
}

function ownedBy<R extends Row<typeof Order> | Row<typeof Invoice>>(row: R | undefined, { customer }: Buyer): R | null {
  return row?.customer === customer.id ? row : null
}

function content(parts: PageParts): BuyerHandler {
  return ({ caller, customer, path, origin }, _, { slug = '' }) => {
    const home = { home: path, below: `${origin}${path}/x` }
    return parts.pipeline.visits.look(caller, (context) => accessedPage(context, customer.id, slug, home))
  }
}

function boughtFile(parts: PageParts): BuyerHandler {
  return async ({ caller, customer }, { request, header }, { slug = '', file = '' }) => {
    const asked = { customer: customer.id, slug, file }
    const found = await parts.pipeline.visits.look(caller, (context) => accessedFile(context, asked))
    return found && sendFile(parts, found, { method: request.method, header, headers: REVALIDATE })
  }
}
