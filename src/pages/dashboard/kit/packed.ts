import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)

/** Below it, packing saves nothing. */
const WORTH_PACKING = 1_400
/** Who may get packed pages: people who open them, and pages of the dashboard itself. */
const OWN_REQUESTS = ['same-origin', 'none']

/**
 * A page, compressed where the browser takes that. Pages hold a token and repeat what was searched for; another site that makes a browser
 * ask for them again and again could guess the token from their lengths. Browsers say where a request comes from, so
 * those of other sites, and of browsers that do not say it, get pages as they are.
 */
export async function packed(answer: Response, header: (name: string) => string | undefined): Promise<Response> {
  const isPage = answer.headers.get('Content-Type')?.startsWith('text/html') && !answer.headers.has('Content-Encoding')
  if (!isPage || answer.body === null) return answer
  const headers = new Headers(answer.headers)
  headers.append('Vary', 'Accept-Encoding, Sec-Fetch-Site')
  const { status } = answer
  const takesIt = /\bgzip\b/.test(header('accept-encoding') ?? '')
  if (!takesIt || !OWN_REQUESTS.includes(header('sec-fetch-site') ?? ''))
    return new Response(answer.body, { status, headers })
  const page = new Uint8Array(await answer.arrayBuffer())
  if (page.length < WORTH_PACKING) return new Response(page, { status, headers })
  headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  return new Response(new Uint8Array(await pack(page)), { status, headers })
}
