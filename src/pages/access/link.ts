import { html } from 'hono/html'
import { ADDRESS_EVENTS, changeAddress, findLink, signIn } from '../../resources/audience/customer/sign-in.ts'
import { type PageParts, seeOther } from '../parts/parts.ts'
import { type AskPage, LINK_OVER, visitorOf } from './ask.ts'
import { accessAnswer, wayHome } from './page.ts'
import { type BuyersShop, sessionCookie } from './session.ts'

/** The pages behind mailed links. GET changes nothing, because mail programs and browsers prefetch such URLs. */
export class LinkPages {
  readonly #parts: PageParts
  readonly #ask: AskPage

  constructor(parts: PageParts, ask: AskPage) {
    this.#parts = parts
    this.#ask = ask
  }

  open = async (shop: BuyersShop, secret: string): Promise<Response> =>
    this.#parts.pipeline.visits.look(visitorOf(shop), async (context) => {
      const link = await findLink(context, 'sign_in', secret)
      if (!link) return this.#ask.get(shop, LINK_OVER)
      return accessAnswer(context, {
        title: 'Open your purchases',
        content: html`<p class="lead">You go on as <strong>${link.email}</strong>, and stay signed in on this device for 7 days.</p>
<form class="narrow" method="post" action="${shop.path}/link/${secret}"><button class="primary" type="submit">Open my purchases</button></form>`,
      })
    })

  use = async (shop: BuyersShop, secret: string): Promise<Response> => {
    const session = await this.#parts.pipeline.visits.act(visitorOf(shop), [], (context) => signIn(context, secret))
    if (session === null) return this.#ask.get(shop, LINK_OVER)
    return seeOther(shop.path, { 'Set-Cookie': sessionCookie(this.#parts, shop, session) })
  }

  openAddress = async (shop: BuyersShop, secret: string): Promise<Response> =>
    this.#parts.pipeline.visits.look(visitorOf(shop), async (context) => {
      const link = await findLink(context, 'address', secret)
      if (!link) return this.#ask.get(shop, LINK_OVER)
      return accessAnswer(context, {
        title: 'Confirm your new address',
        content: html`<p class="lead">From now on, receipts go to <strong>${link.email}</strong>, and you open your purchases with it.</p>
<form class="narrow" method="post" action="${shop.path}/address/${secret}"><button class="primary" type="submit">Use this address</button></form>`,
      })
    })

  useAddress = async (shop: BuyersShop, secret: string): Promise<Response> => {
    const change = await this.#parts.pipeline.visits.act(visitorOf(shop), ADDRESS_EVENTS, (context) =>
      changeAddress(context, secret),
    )
    if (change.kind === 'over') return this.#ask.get(shop, LINK_OVER)
    const isChanged = change.kind === 'changed'
    return this.#parts.pipeline.visits.look(visitorOf(shop), (context) =>
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
