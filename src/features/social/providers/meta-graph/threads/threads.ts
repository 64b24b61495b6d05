import { z } from 'zod'
import { DAY_MS } from '../../../../../contract/values/values.ts'
import { API_VERSIONS } from '../../../../../providers/api-versions.ts'
import { type NetworkEntry, type NetworkParts, tokenIn } from '../../network.ts'
import { codeFlow } from '../../oauth.ts'
import {
  type Access,
  type CommentRequest,
  type Credentials,
  type DayFigures,
  type Finished,
  type FinishRequest,
  type Login,
  PlatformRefusedError,
  type ReceivedComment,
  type Snapshot,
  type SocialProvider,
  type SyncRequest,
} from '../../provider.ts'
import { Anything, askGraph, graphOf, Insights, listOf, part, Token } from '../api.ts'
import { shortMemory } from '../earlier.ts'
import { daysIn, orNone, readPosts, secondsOf, totalsIn } from '../insights.ts'
import { findThread, profileOf, publishThread, type ThreadsAccount, thread } from './publish.ts'

const OF_POST = 'views,likes,replies,reposts,quotes,shares'

const Replies = listOf(
  z.object({
    id: z.string(),
    text: z.string().default(''),
    username: z.string().optional(),
    replied_to: z.object({ id: z.string() }).optional(),
  }),
)

const HOST = 'https://graph.threads.net'
const THREADS = `${HOST}/${API_VERSIONS.threads.version}`

/** The permissions that the service needs (Threads API, Permissions). */
const SCOPES = [
  ...['threads_basic', 'threads_content_publish', 'threads_manage_replies', 'threads_read_replies'],
  ...['threads_manage_insights', 'threads_delete'],
]

/** The fraction of a token's lifetime after which it is refreshed: Threads refuses tokens that are younger than a day or expired. */
const RENEWED_AT = 0.5

/** A reply with the same text counts as that of an earlier attempt only if it is younger than a day; no request is retried for longer. */

export const threadsNetwork: NetworkEntry = {
  name: 'meta-threads',
  platforms: ['threads'],
  settings: ['THREADS_APP_ID', 'THREADS_APP_SECRET'],
  steps: [
    'At developers.facebook.com, make an app with the use case Threads. Its Threads app id and secret are others than those of the app.',
    `Request advanced access to ${SCOPES.join(', ')} in its App Review; without that, only testers of the app can connect their accounts.`,
    'Threads fetches pictures and videos from PUBLIC_URL, so it must be reachable from the internet.',
  ],
  open(parts) {
    const accountFor = ({ login, signal }: Parameters<SocialProvider['connect']>[0]) => accountOf(parts, login, signal)
    return {
      authorization: codeFlow({
        page: `${parts.addressOf('https://threads.net')}/oauth/authorize`,
        parameters: { client_id: parts.settings.THREADS_APP_ID ?? '', scope: SCOPES.join(',') },
        finish: (request, code) => finish(parts, request, code),
      }),
      async connect(request) {
        const { credentials } = request.login
        const { id, profile } = await profileOf(accountFor(request).graph)
        const renewAt = credentials.renew_at ?? new Date(Date.now() + FIRST_RENEWAL_MS).toISOString()
        return { profile, credentials: { ...credentials, user_id: id }, renewAt }
      },
      renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
      publish: (request) => publishThread(accountFor(request), request),
      sync: (request) => snapshotOf(accountFor(request), request),
      comment: (request) => act(accountFor(request), request),
    }
  },
}

/** The delay before an entered token is first refreshed: its age is unknown, and Threads refuses to refresh tokens younger than a day. */
const FIRST_RENEWAL_MS = 2 * 24 * 60 * 60 * 1000

function accountOf(parts: NetworkParts, { credentials }: Login, signal: AbortSignal): ThreadsAccount {
  const token = tokenIn('Threads', credentials)
  return { graph: graphOf(parts, { address: THREADS, token, secret: null, signal }), id: credentials.user_id ?? 'me' }
}

/** Carries out an action on a reply to a post (Threads API, Reply management). */
async function act(account: ThreadsAccount, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment } = request
  const path = `/${part(comment)}`
  if (action === 'like' || action === 'unlike') throw new PlatformRefusedError('Threads does not let apps like replies')
  if (action === 'reply') return { id: await answer(account, request) }
  if (action === 'delete') await account.graph.delete(path, Anything)
  else await account.graph.post(`${path}/manage_reply`, Anything, { hide: String(action === 'hide') })
  return { id: null }
}

async function answer(
  account: ThreadsAccount,
  { comment: to, content, again, signal }: CommentRequest,
): Promise<string> {
  const text = content ?? ''
  const since = new Date(Date.now() - DAY_MS).toISOString()
  const known = again ? await findThread(account, { text, to, since }) : null
  return known ?? thread(account, { name: 'reply', memory: shortMemory(), signal, text, media: [], to })
}

async function finish(parts: NetworkParts, { returnUrl, signal }: FinishRequest, code: string): Promise<Finished> {
  const { THREADS_APP_ID: client_id = '', THREADS_APP_SECRET: client_secret = '' } = parts.settings
  const form = { client_id, client_secret, grant_type: 'authorization_code', redirect_uri: returnUrl, code }
  const short = await askGraph(parts, { address: `${HOST}/oauth/access_token`, form, signal }, Token)
  const exchange = { grant_type: 'th_exchange_token', client_secret, access_token: short.access_token }
  const long = await askGraph(parts, { address: `${HOST}/access_token`, query: exchange, signal }, Token)
  const graph = graphOf(parts, { address: THREADS, token: long.access_token, secret: null, signal })
  const { id, profile } = await profileOf(graph)
  return { choices: [{ profile, credentials: { ...credentialsOf(long), user_id: id } }] }
}

/** Exchanges an unexpired token for one that is valid for 60 more days. */
async function renewed(parts: NetworkParts, credentials: Credentials, signal: AbortSignal): Promise<Access> {
  const { access_token } = credentials
  if (!access_token) throw new PlatformRefusedError('Access to Threads has ended.', { expired: true })
  const query = { grant_type: 'th_refresh_token', access_token }
  const token = await askGraph(parts, { address: `${HOST}/refresh_access_token`, query, signal }, Token)
  const access = { ...credentials, ...credentialsOf(token) }
  return { credentials: access, renewAt: access.renew_at }
}

function credentialsOf({ access_token, expires_in = 0 }: z.output<typeof Token>) {
  return { access_token, renew_at: new Date(Date.now() + expires_in * RENEWED_AT * 1000).toISOString() }
}

/** Returns the profile's daily views and the posts' totals. Threads has no daily figures of posts, so a total counts on the post's date. */
async function snapshotOf(account: ThreadsAccount, request: SyncRequest): Promise<Snapshot> {
  const { profile } = await profileOf(account.graph)
  const days = await daysOfProfile(account, request)
  const read = await readPosts(account.graph, request, async ({ id, publishedAt }) => ({
    comments: await repliesTo(account, id),
    figures: await figuresOf(account, id, publishedAt.slice(0, 10)),
  }))
  return { profile, comments: read.comments, days: [...days, ...read.days] }
}

async function figuresOf({ graph }: ThreadsAccount, id: string, date: string): Promise<DayFigures> {
  const totals = totalsIn(await orNone(graph.get(`/${part(id)}/insights`, Insights, { metric: OF_POST })))
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (totals.get(name) ?? 0), 0)
  const talk = { likes: count('likes'), comments: count('replies'), shares: count('reposts', 'quotes', 'shares') }
  return { date, post: id, figures: { ...talk, impressions: count('views') } }
}

async function daysOfProfile({ graph, id }: ThreadsAccount, { from, to }: SyncRequest): Promise<DayFigures[]> {
  const query = { metric: 'views', since: secondsOf(from), until: secondsOf(to, 1) }
  const days = daysIn(await orNone(graph.get(`/${part(id)}/threads_insights`, Insights, query)))
  return [...days].map(([date, figures]) => ({
    ...{ date, post: null, followersUnknown: true },
    figures: { impressions: figures.get('views') ?? 0 },
  }))
}

async function repliesTo({ graph }: ThreadsAccount, post: string): Promise<ReceivedComment[]> {
  const query = { fields: 'id,text,username,replied_to', reverse: 'false', limit: '50' }
  const { data } = await graph.get(`/${part(post)}/conversation`, Replies, query)
  return data.map(({ id, text, username, replied_to }) => ({
    ...{ id, post, parent: !replied_to || replied_to.id === post ? null : replied_to.id },
    ...{ authorName: username ?? 'Somebody on Threads', authorUsername: username ?? null },
    ...{ content: text, likesCount: 0 },
  }))
}
