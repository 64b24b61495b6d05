import { createHmac } from 'node:crypto'
import type { z } from 'zod'
import { API_VERSIONS } from '../../api-versions.ts'
import { guardedFetch } from '../guarded-fetch.ts'
import type { NetworkParts } from '../network.ts'
import { errorOf, usageIn } from './errors.ts'

/** The version of the Graph API that this speaks (Graph API, Versioning: each is kept for two years or more). */
export const GRAPH_VERSION = API_VERSIONS.metaGraph.version
export const GRAPH = `https://graph.facebook.com/${GRAPH_VERSION}`
/** Where videos of pages are sent. */
export const GRAPH_VIDEO = `https://graph-video.facebook.com/${GRAPH_VERSION}`
/** Above so many per cent of a limit, what can wait is left to another day. */
const MOST_USED = 90

type Values = Record<string, string>

/** A Graph API as one page, account or person. Each request rejects with a PlatformRefusedError or a PlatformBusyError. */
export interface Graph {
  get<Shape extends z.ZodType>(path: string, shape: Shape, query?: Values): Promise<z.output<Shape>>
  /** The body is a form; with files where it is FormData. `to` is another host of the same API. */
  post<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    form: Values | FormData,
    to?: string,
  ): Promise<z.output<Shape>>
  delete<Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>>
  /** One of the limits is almost used up. */
  isAlmostUsedUp(): boolean
}

interface Options {
  /** With its version, such as `https://graph.facebook.com/v25.0`. */
  address: string
  token: string
  /** The secret of the app, which proves that the app itself is asking; null where the API knows no such proof. */
  secret: string | null
  signal: AbortSignal
}

export function graphOf(
  { web, addressOf }: Pick<NetworkParts, 'web' | 'addressOf'>,
  { address, token, secret, signal }: Options,
): Graph {
  const access = { access_token: token, ...(secret !== null && { appsecret_proof: proofOf(token, secret) }) }
  const asking = { fetch: guardedFetch(web, signal), used: 0 }
  const at = (path: string, query: Values) => `${reached(addressOf, address)}${path}?${new URLSearchParams(query)}`
  return {
    get: (path, shape, query = {}) => ask(asking, at(path, { ...query, ...access }), shape),
    post: (path, shape, form, to = address) =>
      ask(asking, `${reached(addressOf, to)}${path}`, shape, posting(form, access)),
    delete: (path, shape) => ask(asking, at(path, access), shape, { method: 'DELETE' }),
    isAlmostUsedUp: () => asking.used >= MOST_USED,
  }
}

/** Asks an address that needs no token yet, such as the one that trades a code for a token. */
export async function askGraph<Shape extends z.ZodType>(
  { web, addressOf }: Pick<NetworkParts, 'web' | 'addressOf'>,
  { address, query = {}, form, signal }: { address: string; query?: Values; form?: Values; signal: AbortSignal },
  shape: Shape,
): Promise<z.output<Shape>> {
  const words = new URLSearchParams(query).toString()
  const url = reached(addressOf, address) + (words && `?${words}`)
  return ask({ fetch: guardedFetch(web, signal), used: 0 }, url, shape, form && posting(form, {}))
}

async function ask<Shape extends z.ZodType>(
  asking: { fetch: typeof fetch; used: number },
  url: string,
  shape: Shape,
  init?: RequestInit,
): Promise<z.output<Shape>> {
  const answer = await asking.fetch(url, init)
  const text = await answer.text()
  asking.used = usageIn(answer.headers)
  if (!answer.ok) throw errorOf(answer.status, answer.headers, text)
  return shape.parse(JSON.parse(text))
}

function reached(addressOf: NetworkParts['addressOf'], address: string): string {
  const { origin, pathname } = new URL(address)
  return addressOf(origin) + pathname
}

function posting(form: Values | FormData, access: Values): RequestInit {
  if (form instanceof FormData) {
    for (const [name, value] of Object.entries(access)) form.set(name, value)
    return { method: 'POST', body: form }
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', headers, body: new URLSearchParams({ ...form, ...access }).toString() }
}

/** Securing Graph API requests: a token that was stolen is of no use without it. */
function proofOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('hex')
}

/** An id of the network as a part of a path. */
export function part(id: string): string {
  return encodeURIComponent(id)
}
