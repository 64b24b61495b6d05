import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Packed } from './packed.ts'

/** Headers of whatever these pages answer. */
export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export interface Stylesheet {
  /** Has the hash of its content in it, so that browsers may keep it for ever. */
  address: string
  /** Its content, for a request of the address. */
  answer(context: { req: { header(name: string): string | undefined } }): Response
}

/** A stylesheet of these files, in their order, below an address such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Stylesheet {
  const style = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const hash = createHash('sha256').update(style).digest('hex').slice(0, 16)
  const packed = new Packed(style, 'text/css', ALWAYS)
  return {
    address: `${below}style-${hash}.css`,
    answer: ({ req }) => packed.answer(req.header('accept-encoding')),
  }
}

/** Colours and measures that every stylesheet uses. */
export const TOKENS = new URL('./tokens.css', import.meta.url)

const COMMON = stylesheet('/checkout/', TOKENS, new URL('./common.css', import.meta.url))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
