import { html } from 'hono/html'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import {
  ADDRESS_EVENTS,
  changeAddress,
  findLink,
  LINK_MINUTES,
  mailBuyerLink,
  signIn,
} from '../../resources/audience/customer/sign-in.ts'
import { seeOther, slowDown } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import { emailField, notice, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { EMAIL, problemOf } from '../parts/problem-words.ts'
import { accessAnswer, wayHome } from './page.ts'
import { type BuyersShop, sessionCookie } from './session.ts'

/** The limit on links mailed to one email address. The page does not reveal whether it is reached. */
const LINKS_PER_ADDRESS = { name: 'links to the page of a buyer', perMinute: 1 / 5, burst: 3 }
/** The limit on requests for links at one shop, for all email addresses together. */
const LINK_REQUESTS_PER_SHOP = { name: 'requests for links at a shop', perMinute: 60, burst: 120 }
const MAX_SHOWN_LENGTH = 254

export class AskPage extends PageOf<PageParts> {
  get = (shop: BuyersShop, news?: Page): Promise<Response> => this.#form(shop, { news })

  /** Every address gets the same response in the same time, so that only the email reveals whether a customer has the address. */
  post = async (shop: BuyersShop, incoming: PageRequest): Promise<Response> => {
    const typed = (await readForm(this.parts.bodies, incoming)).get('email') ?? ''
    const { address, problem } = normalizeEmail(typed)
    if (problem !== null) return this.#form(shop, { typed, problems: [problemOf(EMAIL, problem)], status: 422 })
    const wait = await this.parts.takeTurn(shop.accountId, LINK_REQUESTS_PER_SHOP)
    if (wait > 0) return slowDown('Very many links were asked for at this shop.', wait)
    if ((await this.parts.takeTurn(`${shop.accountId} ${address}`, LINKS_PER_ADDRESS)) === 0)
      await this.parts.pipeline.visits.actAsOutsider(visitorOf(shop), [], (context) =>
        context.enqueue(mailBuyerLink, { email: address }, { inRealTime: true }),
      )
    return this.#sent(shop, address)
  }

  #form(shop: BuyersShop, form: AskForm): Promise<Response> {
    const { news, typed = '', problems = [], status = 200 } = form
    return this.parts.pipeline.visits.look(visitorOf(shop), (context) =>
      accessAnswer(context, {
        title: 'Your purchases',
        status,
        content: html`${news ?? ''}${summaryOf(problems)}
<p class="lead">Orders, receipts, downloads and subscriptions. Enter the e-mail address that you bought with, and we send you a link.</p>
<form class="narrow" method="post" action="${shop.path}">
${emailField(typed.slice(0, MAX_SHOWN_LENGTH), problems)}
<button class="primary" type="submit">Send me a link</button></form>`,
      }),
    )
  }

  #sent(shop: BuyersShop, address: string): Promise<Response> {
    return this.parts.pipeline.visits.look(visitorOf(shop), (context) =>
      accessAnswer(context, {
        title: 'Check your inbox',
        content: html`<p class="lead" role="status">If you bought something here with <strong>${address}</strong>, a link is on its way. It works once, for ${LINK_MINUTES} minutes.</p>
<p class="way"><a href="${shop.path}">Use another address</a></p>`,
      }),
    )
  }
}

interface AskForm {
  news?: Page | undefined
  typed?: string
  problems?: readonly Problem[]
  status?: number
}

function visitorOf({ accountId }: BuyersShop): VisitorCaller {
  return { kind: 'visitor', accountId, pageId: 'access' }
}

const LINK_OVER = notice('bad', 'This link was used already or is too old. Ask for another one.')

/** The pages behind mailed links. GET changes nothing, because mail programs and browsers prefetch such URLs. */
export class LinkPages extends PageOf<PageParts> {
  readonly #ask = new AskPage(this.parts)

  open = async (shop: BuyersShop, secret: string): Promise<Response> =>
    this.parts.pipeline.visits.look(visitorOf(shop), async (context) => {
      const link = await findLink(context, 'sign_in', secret)
      if (!link) return this.#ask.get(shop, LINK_OVER)
      return accessAnswer(context, {
        title: 'Open your purchases',
        content: html`<p class="lead">You go on as <strong>${link.email}</strong>, and stay signed in on this device for 7 days.</p>
<form class="narrow" method="post" action="${shop.path}/link/${secret}"><button class="primary" type="submit">Open my purchases</button></form>`,
      })
    })

  use = async (shop: BuyersShop, secret: string): Promise<Response> => {
    const session = await this.parts.pipeline.visits.act(visitorOf(shop), [], (context) => signIn(context, secret))
    if (session === null) return this.#ask.get(shop, LINK_OVER)
    return seeOther(shop.path, { 'Set-Cookie': sessionCookie(this.parts, shop, session) })
  }

  openAddress = async (shop: BuyersShop, secret: string): Promise<Response> =>
    this.parts.pipeline.visits.look(visitorOf(shop), async (context) => {
      const link = await findLink(context, 'address', secret)
      if (!link) return this.#ask.get(shop, LINK_OVER)
      return accessAnswer(context, {
        title: 'Confirm your new address',
        content: html`<p class="lead">From now on, receipts go to <strong>${link.email}</strong>, and you open your purchases with it.</p>
<form class="narrow" method="post" action="${shop.path}/address/${secret}"><button class="primary" type="submit">Use this address</button></form>`,
      })
    })

  useAddress = async (shop: BuyersShop, secret: string): Promise<Response> => {
    const change = await this.parts.pipeline.visits.act(visitorOf(shop), ADDRESS_EVENTS, (context) =>
      changeAddress(context, secret),
    )
    if (change.kind === 'over') return this.#ask.get(shop, LINK_OVER)
    const isChanged = change.kind === 'changed'
    return this.parts.pipeline.visits.look(visitorOf(shop), (context) =>
      accessAnswer(context, {
        title: isChanged ? 'Your address is changed' : 'This address has purchases of its own',
        status: isChanged ? 200 : 409,
        content: html`${
          isChanged
            ? html`<p class="lead" role="status">Receipts now go to <strong>${change.email}</strong>.</p>`
            : html`<p class="lead">There are purchases with <strong>${change.email}</strong> already, so nothing was changed. Open them with that address, or ask the shop to bring both together.</p>`
        }${wayHome(shop.path)}`,
      }),
    )
  }
}
