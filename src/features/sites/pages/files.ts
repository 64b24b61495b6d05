import { arrayBuffer } from 'node:stream/consumers'
import type { HeaderOf } from '../../../contract/requests/header-of.ts'
import { HOST_HEADERS, type HostParts } from '../../../pages/hosts/hosts.ts'
import { namesTag } from '../../../pages/parts/asset.ts'
import { findServedFile, type ServedFile, type ServedSite } from '../resources/ai-site/served.ts'
import { bytesKey } from '../resources/site-build/files.ts'
import { noSuchPage, PRIVATE_CACHING, PUBLIC_CACHING, withBadge } from './answers.ts'

interface SiteFileRequest {
  method: string
  header: HeaderOf
  /** The path has a leading slash. */
  pathname: string
  search: string
}

/** The maximum length of a file's path in a URL, with room for percent-encoding. */
const MAX_PATHNAME = 2_000

/** Responds with the file at a path, a folder's start page, or a page that was requested without its extension. */
export async function answerFile(parts: SiteParts, site: ServedSite, asked: SiteFileRequest): Promise<Response> {
  const path = pathOf(asked.pathname)
  const find = (one: string) => findServedFile(parts.database.read, site, one)
  if (path !== null) {
    const isFolder = path === '' || path.endsWith('/')
    const file = await find(isFolder ? `${path}index.html` : path)
    if (file) return sendFile(parts, site, file, asked)
    const page = isFolder ? null : await find(`${path}.html`)
    if (page) return sendFile(parts, site, page, asked)
    if (!isFolder && (await find(`${path}/index.html`))) return redirectTo(`${asked.pathname}/${asked.search}`)
  }
  const missing = await find('404.html')
  return missing ? sendFile(parts, site, missing, asked, 404) : noSuchPage()
}

/** Decodes a path and removes its leading slash. Returns null if no file can have this path. */
function pathOf(pathname: string): string | null {
  if (pathname.length > MAX_PATHNAME) return null
  try {
    const path = decodeURIComponent(pathname).slice(1).normalize('NFC')
    return /[\0\\]|\/\//.test(`/${path}`) ? null : path
  } catch {
    return null
  }
}

function redirectTo(path: string): Response {
  return new Response(null, { status: 301, headers: { ...HOST_HEADERS, ...PUBLIC_CACHING, Location: path } })
}

async function sendFile(
  { services, publicUrl }: SiteParts,
  site: ServedSite,
  file: ServedFile,
  { method, header }: SiteFileRequest,
  status = 200,
): Promise<Response> {
  const badged = site.show_referral_badge === 1 && file.content_type.startsWith('text/html')
  const etag = `"${file.sha256.slice(0, 40)}${badged ? '-b' : ''}"`
  const headers: Record<string, string> = {
    ...HOST_HEADERS,
    ...(site.access_mode === 'public' ? PUBLIC_CACHING : PRIVATE_CACHING),
    'Content-Type': file.content_type,
    ...(status === 200 && { ETag: etag }),
  }
  if (status === 200 && namesTag(header('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  if (method === 'HEAD' && !badged)
    return new Response(null, { status, headers: { ...headers, 'Content-Length': String(file.size) } })
  const stream = await services.files.named(file.store).read(bytesKey(file))
  if (stream === null) throw new Error(`The bytes of ${file.id} are not in the store ${file.store}.`)
  if (!badged) return new Response(stream, { status, headers: { ...headers, 'Content-Length': String(file.size) } })
  const page = Buffer.from(withBadge(Buffer.from(await arrayBuffer(stream)).toString('utf8'), publicUrl))
  headers['Content-Length'] = String(page.length)
  return new Response(method === 'HEAD' ? null : page, { status, headers })
}

export type SiteParts = Pick<HostParts, 'services' | 'database' | 'publicUrl'>
