import type { z } from 'zod'
import type { NetworkParts } from '../network.ts'
import { codeFlow } from '../oauth.ts'
import {
  type Authorization,
  type Choice,
  type Finished,
  type FinishRequest,
  type Login,
  PlatformRefusedError,
} from '../provider.ts'
import { Accounts, askGraph, GRAPH, GRAPH_VERSION, type Graph, graphOf, type Page, Permissions, Token } from './api.ts'

/** The number of pages per response, and the maximum number of responses. */
const PAGES_PER_RESPONSE = 50
const MOST_LISTS = 4

interface Options {
  /** The required permissions; a person can deny some of them on Facebook's page. */
  scopes: readonly string[]
  choiceOf(page: Page): Choice | null
  nothing: string
}

/** Creates the authorization through Facebook Login with the operator's app, for pages and their Instagram accounts. */
export function facebookLogin(parts: NetworkParts, options: Options): Authorization {
  return codeFlow({
    page: `${parts.addressOf('https://www.facebook.com')}/${GRAPH_VERSION}/dialog/oauth`,
    parameters: { client_id: parts.settings.META_APP_ID ?? '', scope: options.scopes.join(',') },
    finish: async (request, code) =>
      choicesOf(metaGraph(parts, await longLivedToken(parts, request, code), request.signal), options),
  })
}

async function choicesOf(graph: Graph, { scopes, choiceOf, nothing }: Options): Promise<Finished> {
  const { data } = await graph.get('/me/permissions', Permissions)
  const granted = new Set(data.filter(({ status }) => status === 'granted').map(({ permission }) => permission))
  const missing = scopes.filter((one) => !granted.has(one))
  if (missing.length > 0) return { declined: `Access was allowed without ${missing.join(', ')}. Allow all of it.` }
  const choices = (await pagesOf(graph)).flatMap((page) => choiceOf(page) ?? [])
  return choices.length > 0 ? { choices } : { declined: nothing }
}

/** Exchanges the code for a short-lived token, and this token for one of 60 days. Page tokens derived from the latter do not expire. */
async function longLivedToken(
  parts: NetworkParts,
  { returnUrl, signal }: FinishRequest,
  code: string,
): Promise<string> {
  const app = { client_id: parts.settings.META_APP_ID ?? '', client_secret: parts.settings.META_APP_SECRET ?? '' }
  const ask = (query: Record<string, string>): Promise<z.output<typeof Token>> =>
    askGraph(parts, { address: `${GRAPH}/oauth/access_token`, query: { ...app, ...query }, signal }, Token)
  const short = await ask({ redirect_uri: returnUrl, code })
  return (await ask({ grant_type: 'fb_exchange_token', fb_exchange_token: short.access_token })).access_token
}

async function pagesOf(graph: Graph): Promise<Page[]> {
  const account = 'instagram_business_account{id,username,name,profile_picture_url,followers_count}'
  const fields = `id,name,username,link,picture{url},followers_count,access_token,tasks,${account}`
  const pages: Page[] = []
  let after: string | undefined
  for (let lists = 0; lists < MOST_LISTS; lists++) {
    const more: Record<string, string> = after === undefined ? {} : { after }
    const { data, paging } = await graph.get('/me/accounts', Accounts, {
      fields,
      limit: String(PAGES_PER_RESPONSE),
      ...more,
    })
    pages.push(...data.filter(({ tasks }) => tasks.includes('CREATE_CONTENT')))
    after = paging?.next === undefined ? undefined : paging.cursors?.after
    if (after === undefined) break
  }
  return pages
}

function metaGraph(parts: NetworkParts, token: string, signal: AbortSignal): Graph {
  return graphOf(parts, { address: GRAPH, token, secret: parts.settings.META_APP_SECRET ?? '', signal })
}

/** Returns a Graph API client for the page of an account. Throws a PlatformRefusedError for invalid credentials. */
export function pageGraph(
  parts: NetworkParts,
  { credentials }: Pick<Login, 'credentials'>,
  signal: AbortSignal,
): Graph {
  const { access_token: token } = credentials
  if (!token) throw new PlatformRefusedError('credentials need an access_token of a page; open connect_url to give it')
  return metaGraph(parts, token, signal)
}
