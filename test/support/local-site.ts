import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** How a site answers for a path: a text, bytes, a status, or a function. */
export type SiteAnswer = string | Uint8Array | number | ((response: ServerResponse, site: Site) => void)

/** A local website with responses by path. Every other path is 404. */
export interface Site {
  url: string
  port: number
  pages: Map<string, SiteAnswer>
  /** The requested paths, in order. */
  asked: string[]
  headers: IncomingHttpHeaders[]
  close(): Promise<void>
}

/** Starts it on a free port. One that keeps nothing alive need not be closed. */
export async function startSite(pages: Record<string, SiteAnswer> = {}, { keepsAlive = true } = {}): Promise<Site> {
  const server = createServer((request, response) => {
    site.asked.push(request.url!)
    site.headers.push(request.headers)
    const answer = site.pages.get(request.url!) ?? 404
    if (typeof answer === 'function') return answer(response, site)
    const type = request.url!.endsWith('.xml') ? 'application/xml' : 'text/html; charset=utf-8'
    if (typeof answer === 'number') response.writeHead(answer).end()
    else response.writeHead(200, { 'content-type': type }).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  if (!keepsAlive) server.unref()
  const { port } = server.address() as AddressInfo
  const site: Site = {
    url: `http://127.0.0.1:${port}`,
    port,
    pages: new Map(Object.entries(pages)),
    asked: [],
    headers: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return site
}

export const redirectTo =
  (location: string, status = 302) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { location }).end()
  }

export const sitemap = (...locations: string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((location) => `<url><loc>${location}</loc><lastmod>2026-01-01</lastmod></url>`)
    .join('')}</urlset>`

export const sitemapIndex = (...locations: string[]): string =>
  `<sitemapindex>${locations.map((location) => `<sitemap><loc>${location}</loc></sitemap>`).join('')}</sitemapindex>`

/** A gzip file of a few kilobytes that unpacks to many megabytes. */
export const bomb = (megabytes: number): Uint8Array => gzipSync(Buffer.alloc(megabytes * 1_000_000, ' '))
