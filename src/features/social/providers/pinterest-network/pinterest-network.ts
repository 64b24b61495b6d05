import { DAY_MS } from '../../../../contract/values/values.ts'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import { guardedFetch, isRefusedAlone, type NetworkEntry, type NetworkParts, newestFirst, orElse } from '../network.ts'
import { basic, codeFlow, credentialsOf, firstRenewal, renewedBy, tokensFor } from '../oauth.ts'
import { type DayFigures, type KnownPost, PlatformRefusedError, type Snapshot, type SyncRequest } from '../provider.ts'
import { Analytics, type Api, apiOf, boardOf, boardsOf, profileOf, userOf } from './api.ts'
import { publishPin } from './publish.ts'

/** The number of newest pins per sync; each takes a request. */
const POSTS_PER_SYNC = 25
/** The maximum range in days, since Pinterest only has figures of the last 90 days. */
const DAYS = 89
const METRICS = 'IMPRESSION,OUTBOUND_CLICK,SAVE'

/** The permissions for creating pins and reading the account's name (API reference, Create Pin and Get user account). */
const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read']

/** Pinterest with the operator's app. An account is one board. */
export const pinterestNetwork: NetworkEntry = {
  name: 'pinterest-network',
  platforms: ['pinterest'],
  settings: ['PINTEREST_APP_ID', 'PINTEREST_APP_SECRET'],
  steps: [
    'On Pinterest for developers, with a business account, register an app.',
    'Apply for standard access: until then, pins of the app are seen by their author alone.',
  ],
  /** Pinterest documents no request that revokes access; a person revokes it in the settings of the Pinterest account. */
  open: (parts) => ({
    // After granting access, the person chooses a board on a page of this service.
    authorization: codeFlow({
      page: `${parts.addressOf('https://www.pinterest.com')}/oauth/`,
      parameters: { client_id: parts.settings.PINTEREST_APP_ID ?? '', scope: SCOPES.join(',') },
      async finish(request, code) {
        const ask = (form: Record<string, string>) => tokenRequest(parts, request.signal, form)
        const credentials = credentialsOf(await tokensFor(request, code, ask))
        const api = apiOf(parts, credentials, request.signal)
        const [user, boards] = [await userOf(api), await boardsOf(api)]
        if (boards.length === 0)
          return { declined: 'This account has no board. Make one on Pinterest, and connect it then.' }
        const choiceOf = (board: (typeof boards)[number]) => ({
          profile: profileOf(user, board),
          credentials: { ...credentials, board: board.id },
        })
        return { choices: boards.map(choiceOf) }
      },
    }),
    async connect({ login: { credentials }, signal }) {
      const api = apiOf(parts, credentials, signal)
      const profile = profileOf(await userOf(api), await boardOf(api, credentials))
      return { profile, credentials, renewAt: firstRenewal(credentials) }
    },
    // Pinterest also replaces the refresh token; the new one is valid for another 60 days.
    renew: ({ login, signal }) =>
      renewedBy('Pinterest', login.credentials, (form) => tokenRequest(parts, signal, form)),
    publish: (request) => publishPin(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    async comment() {
      throw new PlatformRefusedError('Pinterest lets apps neither read nor write comments.')
    },
  }),
}

function tokenRequest({ web, settings, addressOf }: NetworkParts, signal: AbortSignal, form: Record<string, string>) {
  return {
    fetch: guardedFetch(web, signal),
    url: `${addressOf('https://api.pinterest.com')}/${API_VERSIONS.pinterest.version}/oauth/token`,
    authorization: basic(settings.PINTEREST_APP_ID ?? '', settings.PINTEREST_APP_SECRET ?? ''),
    form,
  }
}

/** Returns the daily impressions, link clicks and saves of each pin. */
async function snapshotOf(api: Api, { login, posts, from, to }: SyncRequest): Promise<Snapshot> {
  const profile = profileOf(await userOf(api), await boardOf(api, login.credentials))
  const earliest = new Date(Date.parse(to) - DAYS * DAY_MS).toISOString().slice(0, 10)
  const newest = newestFirst(posts).slice(0, POSTS_PER_SYNC)
  const days: DayFigures[] = []
  for (const post of newest) days.push(...(await daysOf(api, post, { from: from < earliest ? earliest : from, to })))
  return { profile, comments: [], days }
}

/** Returns the daily figures of a pin; none if the pin was deleted or the account may not see its figures. */
async function daysOf(api: Api, { id }: KnownPost, { from, to }: { from: string; to: string }): Promise<DayFigures[]> {
  const path = `/pins/${encodeURIComponent(id)}/analytics?start_date=${from}&end_date=${to}&metric_types=${METRICS}`
  const answer = await orElse(api.call(path, Analytics), null, isRefusedAlone)
  const ready = answer?.all.daily_metrics.filter(({ data_status }) => data_status === 'READY') ?? []
  return ready.map(({ date, metrics }) => {
    const count = (name: string) => Math.round(metrics[name] ?? 0)
    const figures = { impressions: count('IMPRESSION'), clicks: count('OUTBOUND_CLICK'), saves: count('SAVE') }
    return { date, post: id, figures }
  })
}
