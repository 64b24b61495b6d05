import { accountOf } from '../../access/account-of.ts'
import type { VisitorCaller } from '../../contract/declarations/caller.ts'
import { readState, type State } from '../../resources/social/social_account/authorization.ts'
import { PLATFORMS } from '../../resources/social/social_platform/platforms.ts'
import { type PageParts, type PageRequest, pageAnswer, seeOther } from '../parts/parts.ts'
import { Authorizer } from './authorize.ts'
import { browserIn } from './browser.ts'
import type { ConnectPage } from './connect.ts'
import { lostPage } from './connect-page.ts'

/** Parameters of an answer of a network, and the length of one. */
const MOST_PARAMETERS = 20
const MAX_VALUE = 4_000

/** Somebody whom a network sends back. */
interface Returning {
  accountId: string
  state: State
}

/** Whom the state of an answer belongs to, or null where nobody set out with it. */
export async function returningOf({ database }: PageParts, written: string): Promise<Returning | null> {
  const state = readState(written)
  const accountId = state && (await accountOf(database.read, 'social_authorizations', state.id))
  return state && accountId !== null ? { accountId, state } : null
}

/** The fixed address of each platform that networks send people back to. */
export class CallbackPage {
  readonly #parts: PageParts
  readonly #authorizer: Authorizer
  readonly #connect: ConnectPage

  constructor(parts: PageParts, connect: ConnectPage) {
    this.#parts = parts
    this.#authorizer = new Authorizer(parts)
    this.#connect = connect
  }

  /** The state is taken once, and only in the browser that set out; then the network is asked for the access. */
  get =
    (platform: string, server: string | undefined) =>
    async ({ accountId, state }: Returning, { request, header }: PageRequest): Promise<Response> => {
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

/** No answer of a network names such a state: it was used, is too old, or was never given out. */
export function lostAnswer(platform: string): Promise<Response> {
  return pageAnswer(lostPage(platform), { status: 400 })
}

function nameOf(platform: string): string {
  return PLATFORMS.find((one) => one.platform === platform)?.name ?? 'The network'
}

function queryOf({ url }: Request): Record<string, string> {
  const pairs = [...new URL(url).searchParams].slice(0, MOST_PARAMETERS)
  return Object.fromEntries(pairs.map(([name, value]) => [name, value.slice(0, MAX_VALUE)]))
}
