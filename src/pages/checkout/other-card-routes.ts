import { type Env, Hono } from 'hono'
import { accountOf } from '../../access/account-of.ts'
import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import { opensAccess } from '../../resources/content/experience/access.ts'
import { refusalsIn } from '../parts/answers.ts'
import { PostLimit } from '../parts/form.ts'
import { formAdder, Gate, visitsBy } from '../parts/gate.ts'
import type { PageParts, RequestOf } from '../parts/page-parts.ts'
import { type CardHolder, CardPage } from './other-card.ts'

export const BUYER_REFUSALS = refusalsIn({
  foreign: 'it was not accepted, and nothing was changed. Open the page and try again.',
  tooMany: 'Too many attempts in a short time. Nothing was changed.',
  open: 'Open the page',
  openAgain: 'Open the page again',
  undone: 'Nothing was changed.',
  busy: 'The shop is very busy',
  broken: (requestId) => `Please try again. If this happens again, give the shop this number: ${requestId}.`,
})

/** No experience can have the slug `-`, so this path does not hide the page of an experience. */
const PATH = '/access/:customer/:capability/-/card'

/** Routes of the page where buyers replace the card of their subscriptions. The page of their purchases links to it. */
export function cardPages<E extends Env>(parts: PageParts, incomingOf: RequestOf<E>): Hono<E> {
  const app = new Hono<E>()
  const gate = new Gate(parts, {
    posts: new PostLimit('cards', parts, { ofClient: parts.postsPerMinute }),
    refusals: BUYER_REFUSALS,
  })
  const visit = visitsBy(incomingOf, ({ req }) => `${req.param('customer')}/${req.param('capability')}`)
  formAdder(app, visit)(PATH, { gate, find: holderOf, page: new CardPage(parts) })
  return app
}

/** Returns the customer whose card can be replaced at this URL, or null. */
async function holderOf(parts: PageParts, key: string): Promise<CardHolder | null> {
  const [customer = '', capability = ''] = key.split('/')
  if (!opensAccess(parts, customer, capability)) return null
  const accountId = await accountOf(parts.database.read, 'customers', customer)
  const caller: BuyerCaller | null = accountId === null ? null : { kind: 'buyer', accountId, checkoutId: 'none' }
  const home = `/access/${customer}/${capability}`
  return caller && { caller, customer, home, address: `${home}/-/card` }
}
