import { html } from 'hono/html'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import { LINK_MINUTES, mailBuyerLink } from '../../resources/audience/customer/sign-in.ts'
import { field, notice, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { type PageParts, type PageRequest, readForm, slowDown } from '../parts/parts.ts'
import { EMAIL, problemOf } from '../parts/problem-words.ts'
import { accessAnswer } from './page.ts'
import type { BuyersShop } from './session.ts'

/** The limit on links mailed to one email address. The page does not reveal whether it is reached. */
const LINKS_PER_ADDRESS = { name: 'links to the page of a buyer', perMinute: 1 / 5, burst: 3 }
/** The limit on requests for links at one shop, for all email addresses together. */
const LINK_REQUESTS_PER_SHOP = { name: 'requests for links at a shop', perMinute: 60, burst: 120 }
const MAX_SHOWN_LENGTH = 254

export class AskPage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  get = (shop: BuyersShop, news?: Page): Promise<Response> => this.#form(shop, { news })

  /** Every address gets the same response in the same time, so that only the email reveals whether a customer has the address. */
  post = async (shop: BuyersShop, incoming: PageRequest): Promise<Response> => {
    const typed = (await readForm(this.#parts.bodies, incoming)).get('email') ?? ''
    const { address, problem } = normalizeEmail(typed)
    if (problem !== null) return this.#form(shop, { typed, problems: [problemOf(EMAIL, problem)], status: 422 })
    const wait = await this.#parts.takeTurn(shop.accountId, LINK_REQUESTS_PER_SHOP)
    if (wait > 0) return slowDown('Very many links were asked for at this shop.', wait)
    if ((await this.#parts.takeTurn(`${shop.accountId} ${address}`, LINKS_PER_ADDRESS)) === 0)
      await this.#parts.pipeline.visits.actAsOutsider(visitorOf(shop), [], (context) =>
        context.enqueue(mailBuyerLink, { email: address }, { inRealTime: true }),
      )
    return this.#sent(shop, address)
  }

  #form(shop: BuyersShop, form: AskForm): Promise<Response> {
    const { news, typed = '', problems = [], status = 200 } = form
    return this.#parts.pipeline.visits.look(visitorOf(shop), (context) =>
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
    return this.#parts.pipeline.visits.look(visitorOf(shop), (context) =>
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

export function visitorOf({ accountId }: BuyersShop): VisitorCaller {
  return { kind: 'visitor', accountId, pageId: 'access' }
}

export function emailField(typed: string, problems: readonly Problem[]): Page {
  return field({
    id: 'email',
    label: 'E-mail',
    problems,
    input: (described) =>
      html`<input id="email" name="email" type="email" inputmode="email" autocomplete="email" maxlength="254" spellcheck="false" value="${typed}" required${described}>`,
  })
}

export const LINK_OVER = notice('bad', 'This link was used already or is too old. Ask for another one.')
