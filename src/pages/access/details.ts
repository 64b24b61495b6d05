import { html } from 'hono/html'
import { normalizeEmail } from '../../contract/values/email.ts'
import { Customer } from '../../resources/audience/customer/customer.ts'
import { mailAddressLink, signOutElsewhere } from '../../resources/audience/customer/sign-in.ts'
import { updateCustomer } from '../../resources/audience/customer/write.ts'
import { seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import { emailField, MAX_NAME, nameField, notice, type Problem, summaryOf } from '../parts/markup.ts'
import { PageOf, type PageParts, type PageRequest } from '../parts/page-parts.ts'
import { type Asked, EMAIL, problemOf } from '../parts/problem-words.ts'
import { accessAnswer, wayHome } from './page.ts'
import type { Buyer } from './session.ts'

const DONE_MESSAGES = new Map([
  ['name', 'Your name is saved.'],
  ['others', 'All other devices are signed out.'],
])
const NAME: Asked = { id: 'name', label: 'Name', kind: 'text' }
/** The limit on confirmation emails to new addresses that one customer enters. */
const ADDRESS_CHANGE_LIMIT = { name: 'new addresses of a buyer', perMinute: 1 / 10, burst: 3 }

interface DetailsView {
  typed?: { name?: string; email?: string }
  problems?: readonly Problem[]
  sentTo?: string
  news?: string
  status?: number
}

export class DetailsPage extends PageOf<PageParts> {
  get = (buyer: Buyer, { request }: PageRequest): Promise<Response> => {
    const news = DONE_MESSAGES.get(new URL(request.url).searchParams.get('done') ?? '')
    return this.#show(buyer, news === undefined ? {} : { news })
  }

  post = async (buyer: Buyer, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.parts.bodies, incoming)
    switch (form.get('do')) {
      case 'name':
        return this.#rename(buyer, (form.get('name') ?? '').trim())
      case 'email':
        return this.#askForAddress(buyer, form.get('email') ?? '')
      case 'others':
        await this.parts.pipeline.visits.act(buyer.caller, [], (context) =>
          signOutElsewhere(context, buyer.customer.id, buyer.secret),
        )
        return seeOther(`${buyer.path}/details?done=others`)
      default:
        return seeOther(`${buyer.path}/details`)
    }
  }

  async #rename(buyer: Buyer, name: string): Promise<Response> {
    if (name.length > MAX_NAME) {
      const problems = [problemOf(NAME, `is too long (maximum is ${MAX_NAME} characters)`)]
      return this.#show(buyer, { typed: { name }, problems, status: 422 })
    }
    await this.parts.pipeline.visits.act(buyer.caller, ['customer.updated'], async (context) => {
      await context.remember(Customer, [buyer.customer])
      await updateCustomer(context, buyer.customer, { name: name || null })
    })
    return seeOther(`${buyer.path}/details?done=name`)
  }

  /** Mails a link that confirms the new address. Until then, no response reveals whether another customer has the address. */
  async #askForAddress(buyer: Buyer, typed: string): Promise<Response> {
    const { address, problem } = normalizeEmail(typed)
    const refuse = (problem: Problem) =>
      this.#show(buyer, { typed: { email: typed }, problems: [problem], status: 422 })
    if (problem !== null) return refuse(problemOf(EMAIL, problem))
    if (address === buyer.customer.email) return refuse(problemOf(EMAIL, 'is yours already'))
    if ((await this.parts.takeTurn(buyer.customer.id, ADDRESS_CHANGE_LIMIT)) > 0)
      return refuse({ field: 'email', message: 'You have asked for several changes. Please wait ten minutes.' })
    await this.parts.pipeline.visits.act(buyer.caller, [], (context) =>
      context.enqueue(mailAddressLink, { customer: buyer.customer.id, email: address }, { inRealTime: true }),
    )
    return this.#show(buyer, { sentTo: address })
  }

  #show(buyer: Buyer, { typed = {}, problems = [], sentTo, news, status = 200 }: DetailsView): Promise<Response> {
    const { customer, path } = buyer
    const address = `${path}/details`
    const sent =
      sentTo && html`Open the link that we sent to <strong>${sentTo}</strong>. Until then, your address stays as it is.`
    return this.parts.pipeline.visits.look(buyer.caller, (context) =>
      accessAnswer(context, {
        title: 'Your details',
        status,
        content: html`${sent ? notice('good', sent) : ''}${news ? notice('good', news) : ''}${summaryOf(problems)}
<form class="narrow" method="post" action="${address}">${nameField(typed.name ?? customer.name ?? '', problems)}<button type="submit" name="do" value="name">Save name</button></form>
<h2>E-mail address</h2><form class="narrow" method="post" action="${address}"><p class="hint">Now ${customer.email}. We send a link to the new address.</p>${emailField(typed.email ?? '', problems)}<button type="submit" name="do" value="email">Change address</button></form>
<h2>Other devices</h2><form class="narrow" method="post" action="${address}"><button type="submit" name="do" value="others">Sign out everywhere else</button></form>${wayHome(path)}`,
      }),
    )
  }
}
