import { accountOf } from '../../../access/account-of.ts'
import type { VisitorCaller } from '../../../contract/declarations/caller.ts'
import { type PageParts, type PageRequest, pageAnswer, seeOther } from '../../../pages/parts/parts.ts'
import { readState, type State } from '../resources/social-account/authorization.ts'
import { PLATFORMS } from '../resources/social-platform/platforms.ts'
import { Authorizer } from './authorize.ts'
import { browserIn } from './browser.ts'
import type { ConnectPage } from './connect.ts'
import { lostPage } from './connect-page.ts'

/** Limits on the query of a network's redirect: the number of parameters, and the length of each value in characters. */
const MAX_PARAMETERS = 20
const MAX_VALUE = 4_000

/** The account and the state of a person whom a network redirects back. */
interface ReturningPerson {
  accountId: string
  state: State
}

/** Returns the person to whom a state belongs, or null if the state is unknown. */
export async function returningPersonOf({ database }: PageParts, written: string): Promise<ReturningPerson | null> {
  const state = readState(written)
  const accountId = state && (await accountOf(database.read, 'social_authorizations', state.id))
  return state && accountId !== null ? { accountId, state } : null
}

/** The page behind the redirect URL to which networks send people back. Each platform has a fixed redirect URL. */
export class CallbackPage {
  readonly #parts: PageParts
  readonly #authorizer: Authorizer
  readonly #connect: ConnectPage

  constructor(parts: PageParts, connect: ConnectPage) {
    this.#parts = parts
    this.#authorizer = new Authorizer(parts)
    this.#connect = connect
  }

  /** Accepts a state only once, and only in the browser that started the authorization. Then requests the access from the network. */
  get =
    (platform: string, server: string | undefined) =>
    async ({ accountId, state }: ReturningPerson, { request, header }: PageRequest): Promise<Response> => {
      const browser = browserIn(header, this.#parts.publicUrl)
      const back = await this.#authorizer.back(accountId, state, { platform, server, browser })
      if (back === null || browser === null) return lostAnswer(nameOf(platform))
      const caller: VisitorCaller = { kind: 'visitor', accountId, pageId: back.account }
      const { address, open, account } = await this.#connect.connecting(caller, browser)
      if (!open) return seeOther(address)
      const provider = this.#parts.services.social.named(account.provider)
      const returned = { kept: back.kept, query: queryOf(request) }
      await this.#authorizer.finish(
        { caller, platform: account.platform, provider, browser },
        returned,
        account.username,
      )
      return seeOther(`${address}?done`)
    }
}

/** The page for a state that was used, is too old, or was never issued. */
export function lostAnswer(platform: string): Promise<Response> {
  return pageAnswer(lostPage(platform), { status: 400 })
}

function nameOf(platform: string): string {
  return PLATFORMS.find((one) => one.platform === platform)?.name ?? 'The network'
}

function queryOf({ url }: Request): Record<string, string> {
  const pairs = [...new URL(url).searchParams].slice(0, MAX_PARAMETERS)
  return Object.fromEntries(pairs.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]))
}
