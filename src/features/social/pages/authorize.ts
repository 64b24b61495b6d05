import type { VisitorCaller } from '../../../contract/declarations/caller.ts'
import type { PageParts } from '../../../pages/parts/page-parts.ts'
import type { Context } from '../../../records/context.ts'
import {
  type BeginRequest,
  type Choice,
  type Credentials,
  callbackPath,
  type Finished,
  type FinishRequest,
  PlatformBusyError,
  PlatformRefusedError,
  type SocialProvider,
} from '../providers/provider.ts'
import {
  choicesOf,
  findApp,
  forgetChoices,
  keepApp,
  newState,
  noteChoices,
  noteLeaving,
  type State,
  takeBack,
  writtenState,
} from '../resources/social-account/authorization.ts'
import { ACCESS_EVENTS, declineAccess, offerAccess } from '../resources/social-account/check-access.ts'
import { usernameKey } from '../resources/social-account/credentials.ts'
import type { PlatformName } from '../resources/social-platform/social-platform.ts'

/** The time limit for network requests that a person waits for. */
const TIMEOUT_MS = 45_000

/** An authorization of a social account that a person has started. */
export interface PendingAuthorization {
  caller: VisitorCaller
  platform: PlatformName
  provider: SocialProvider
  /** The secret in the cookie of the person's browser. */
  browser: string
}

/** Sends a person to the page of the social network and back. All requests to the network run outside of transactions. */
export class Authorizer {
  readonly #parts: PageParts

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** Returns the URL of the network's page, or the reason why the entered values are refused. */
  async begin({ caller, platform, provider, browser }: PendingAuthorization, entered: Credentials) {
    const state = newState()
    const request = { ...this.#asked(platform), state: writtenState(state), entered, apps: this.#appsOf(caller) }
    const begun = await withFailureAsText(() => authorizationOf(provider).begin(request))
    if ('refused' in begun) return begun
    const leaving = { account: caller.pageId, platform, state, browser, kept: begun.answer.kept }
    await this.#act(caller, (context) => noteLeaving(context, leaving))
    return { url: begun.answer.url }
  }

  /** Returns the authorization to which a person returns: only once, and only in the browser that started it; otherwise null. */
  async back(
    accountId: string,
    state: State,
    { browser, ...at }: { platform: string; server: string | undefined; browser: string | null },
  ) {
    const caller: VisitorCaller = { kind: 'visitor', accountId, pageId: state.id }
    return this.#act(caller, (context) => takeBack(context, { state, browser, ...at }))
  }

  /** Exchanges the network's response for credentials and stores those of the profile. If there are several, the person chooses one. */
  async finish(
    authorizing: PendingAuthorization,
    returned: Pick<FinishRequest, 'kept' | 'query'>,
    username: string | null,
  ) {
    const { caller, platform, provider, browser } = authorizing
    const request = { ...this.#asked(platform), ...returned }
    const finished = await withFailureAsText(() => authorizationOf(provider).finish(request))
    const outcome = 'refused' in finished ? { declined: finished.refused } : finished.answer
    if ('declined' in outcome) return this.#decline(caller, outcome.declined)
    const choices = sameProfile(outcome, username)
    if (choices.length === 0) return this.#decline(caller, NO_PROFILES)
    if (choices.length === 1) return this.#offer(caller, choices[0]!)
    await this.#act(caller, (context) => noteChoices(context, { account: caller.pageId, platform, browser, choices }))
  }

  /** Returns the profiles from which the person in this browser may choose. */
  choices(caller: VisitorCaller, browser: string | null): Promise<Choice[]> {
    const { visits } = this.#parts.pipeline
    return visits.look(caller, (context) => choicesOf(context, caller.pageId, browser))
  }

  async choose(caller: VisitorCaller, choice: Choice): Promise<void> {
    await this.forget(caller)
    await this.#offer(caller, choice)
  }

  async forget(caller: VisitorCaller): Promise<void> {
    await this.#act(caller, (context) => forgetChoices(context, caller.pageId))
  }

  #offer(caller: VisitorCaller, { credentials }: Choice): Promise<void> {
    return this.#act(caller, (context) => offerAccess(context, caller.pageId, credentials))
  }

  #decline(caller: VisitorCaller, words: string): Promise<void> {
    return this.#act(caller, (context) => declineAccess(context, caller.pageId, words))
  }

  #act<Value>(caller: VisitorCaller, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.#parts.pipeline.visits.act(caller, ACCESS_EVENTS, work)
  }

  #asked(platform: string): Pick<BeginRequest, 'platform' | 'returnUrl' | 'signal'> {
    const returnUrl = this.#parts.publicUrl + callbackPath(platform)
    return { platform, returnUrl, signal: AbortSignal.timeout(TIMEOUT_MS) }
  }

  #appsOf(caller: VisitorCaller): BeginRequest['apps'] {
    const { visits } = this.#parts.pipeline
    return {
      find: (server) => visits.look(caller, (context) => findApp(context, server)),
      keep: (server, app) => visits.act(caller, [], (context) => keepApp(context, server, app)),
    }
  }
}

function authorizationOf({ authorization, name }: SocialProvider) {
  if (authorization) return authorization
  throw new Error(`The adapter ${name} sends nobody to a page of its network.`)
}

/** Returns only the profile that was connected before if it is among the choices, otherwise all choices. */
function sameProfile({ choices }: Extract<Finished, { choices: Choice[] }>, username: string | null): Choice[] {
  const key = username === null ? null : usernameKey(username)
  const same = choices.filter(({ profile }) => usernameKey(profile.username.replace(/^@/, '')) === key)
  return same.length === 1 ? same : choices
}

const NETWORK_FAILED = 'The network did not answer as expected. Try again in a moment.'
const NO_PROFILES = 'There is nothing that could be connected.'

/** Calls the network while a person waits. Failures become a sentence for that person. */
async function withFailureAsText<Answer>(
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer } | { refused: string }> {
  try {
    return { answer: await ask() }
  } catch (error) {
    const isKnown = error instanceof PlatformRefusedError || error instanceof PlatformBusyError
    return { refused: isKnown ? error.message : NETWORK_FAILED }
  }
}
