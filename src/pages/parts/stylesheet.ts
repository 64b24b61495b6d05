import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Headers of whatever these pages answer. */
export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export interface Stylesheet {
  /** Has the hash of its content in it, so that browsers may keep it for ever. */
  address: string
  answer(): Response
}

/** A stylesheet of these files, in their order, below an address such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Stylesheet {
  const style = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const hash = createHash('sha256').update(style).digest('hex').slice(0, 16)
  return { address: `${below}style-${hash}.css`, answer: () => answerOf(style) }
}

function answerOf(style: string): Response {
  const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=31536000, immutable' }
  return new Response(style, { headers: { ...ALWAYS, ...headers } })
}

/** Colours and measures that every stylesheet uses. */
export const TOKENS = new URL('./tokens.css', import.meta.url)

const COMMON = stylesheet('/checkout/', TOKENS, new URL('./common.css', import.meta.url))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
