import { accountOf } from '../../access/account-of.ts'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import type { Credentials } from '../../outside/social/provider.ts'
import { requireRow } from '../../records/records.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import { idOfSecret, secretOf } from '../../resources/sales/secret.ts'
import { ACCESS_EVENTS, declineAccess, offerAccess } from '../../resources/social/social_account/access.ts'
import { SocialAccount } from '../../resources/social/social_account/social_account.ts'
import { platformOf } from '../../resources/social/social_platform/platforms.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import type { PageParts, PageRequest } from '../parts/parts.ts'
import { type Connecting, connectPage, endedPage, readEntered } from './connect-page.ts'

/** In the query after a form of ours. */
const DONE = 'done'

/** Whoever has the connect_url of a social account, or null when it is not the right one. */
export async function connectorOf(parts: PageParts, secret: string): Promise<VisitorCaller | null> {
  const id = idOfSecret(parts, SocialAccount, secret)
  const accountId = id === null ? null : await accountOf(parts.database.read, 'social_accounts', id)
  return id === null || accountId === null ? null : { kind: 'visitor', accountId, pageId: id }
}

/** The page where a person allows access to a social account. It plays a simulated platform as well. */
export class ConnectPage {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** A platform sends people back with words in the query, which the adapter checks. */
  get = async (caller: VisitorCaller, { request }: PageRequest): Promise<Response> => {
    const query = new URL(request.url).searchParams
    const connecting = await this.#connecting(caller)
    if (!connecting.open) return endedAnswer(connecting, query.has(DONE))
    if (connecting.simulation || connecting.entry || query.size === 0 || query.has(DONE))
      return pageAnswer(connectPage(connecting))
    return this.#offer(caller, connecting, Object.fromEntries(query))
  }

  post = async (caller: VisitorCaller, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.#parts.bodies, incoming)
    const connecting = await this.#connecting(caller)
    if (!connecting.open || !(connecting.simulation || connecting.entry)) return seeOther(connecting.address)
    if (form.get('do') !== 'allow') return this.#decline(caller, connecting)
    const { credentials, problems } = readEntered(form, connecting)
    if (problems.length > 0) return pageAnswer(connectPage(connecting, { problems, form }), { status: 422 })
    return this.#offer(caller, connecting, credentials)
  }

  async #offer(caller: VisitorCaller, { address }: Connecting, credentials: Credentials): Promise<Response> {
    const { visits } = this.#parts.pipeline
    await visits.act(caller, ACCESS_EVENTS, (context) => offerAccess(context, caller.pageId, credentials))
    return seeOther(`${address}?${DONE}`)
  }

  async #decline(caller: VisitorCaller, { address }: Connecting): Promise<Response> {
    const { visits } = this.#parts.pipeline
    await visits.act(caller, ACCESS_EVENTS, (context) => declineAccess(context, caller.pageId))
    return seeOther(`${address}?${DONE}`)
  }

  #connecting(caller: VisitorCaller): Promise<Connecting> {
    return this.#parts.pipeline.visits.look(caller, async (context) => {
      const account = await requireRow(context, SocialAccount, caller.pageId)
      const shop = await currentAccount(context)
      const provider = context.services.social.named(account.provider)
      const address = `/social/connect/${secretOf(context, SocialAccount, account.id)}`
      return {
        account,
        address,
        platform: platformOf(account.platform).name,
        frame: { shop: { name: shop.name, email: shop.support_email }, test: false },
        open: account.connecting,
        simulation: provider.simulation,
        entry: provider.entry ?? null,
        platformUrl: provider.connectUrl({ platform: account.platform, returnUrl: context.publicUrl + address }),
      }
    })
  }
}

/** Sends the person on to where the shop wants, when there is such a place and the form was just sent. */
function endedAnswer(connecting: Connecting, done: boolean): Promise<Response> {
  const { redirect_url, id, status } = connecting.account
  const page = endedPage(connecting)
  if (!done || redirect_url === null) return pageAnswer(page)
  const target = new URL(redirect_url)
  target.searchParams.set('social_account', id)
  target.searchParams.set('status', status)
  return pageAnswer(page, { refresh: { seconds: 0, address: target.href } })
}
