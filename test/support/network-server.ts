import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSocial } from '../../src/features/social/providers/registry.ts'
import type { Shop } from './shop.ts'

/** A request to the stand-in for a network. */
export interface Incoming {
  method: string
  /** The original host. `path` is the path on that host. */
  host: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  sent: Buffer
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any call
export type Body = any
export type Answer = [status: number, body?: Body, headers?: Record<string, string>]

/** A local stand-in for all hosts of a network: `/api.example.com/posts` serves `https://api.example.com/posts`. */
export abstract class NetworkServer {
  url = ''
  /** Drops the next response to a request whose method and path match, after carrying it out. */
  loses: RegExp | null = null
  /** The requests in order, such as `POST api.example.com/posts`. */
  readonly asked: string[] = []
  readonly #http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams: query } = new URL(request.url!, this.url)
      const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(pathname) ?? []
      const { method = '', headers } = request
      this.asked.push(`${method} ${host}${path}`)
      const [status, body, more] = this.answer({ method, host, path, query, headers, sent: Buffer.concat(chunks) })
      if (this.loses?.test(`${method} ${host}${path}`)) {
        this.loses = null
        response.destroy()
        return
      }
      response.writeHead(status, { 'Content-Type': 'application/json', ...more })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })

  protected abstract answer(request: Incoming): Answer

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    this.#http.unref()
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
    return this
  }

  close = (): Promise<void> => new Promise((resolve) => this.#http.close(() => resolve()))

  addressOf = (address: string): string => `${this.url}/${new URL(address).host}`

  /** Connects a shop to this stand-in instead of the network. */
  reachedBy(shop: Shop, settings: Record<string, string>): void {
    const { services } = shop.running.app
    const { addressOf } = this
    services.social = createSocial({ pretending: false, web: services.web.outside, settings, addressOf })
  }
}

/** Returns the fields of a form, or null if the media type is not that of a form. */
export function formIn({ headers, sent }: Incoming): URLSearchParams | null {
  return headers['content-type'] === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(sent.toString('utf8'))
    : null
}

/** Returns the JSON body of a request, or null. */
export function jsonIn({ headers, sent }: Incoming): Body | null {
  return headers['content-type']?.startsWith('application/json') ? JSON.parse(sent.toString('utf8')) : null
}
