import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const STYLE = readFileSync(new URL('./checkout.css', import.meta.url), 'utf8')

/** The stylesheet has its content's hash in its address, so that browsers may keep it for ever. */
export const STYLE_ADDRESS = `/checkout/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 16)}.css`

/** Headers of whatever these pages answer. */
export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function styleAnswer(): Response {
  const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=31536000, immutable' }
  return new Response(STYLE, { headers: { ...ALWAYS, ...headers } })
}
