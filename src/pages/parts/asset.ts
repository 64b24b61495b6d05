import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export interface Asset {
  /** The URL contains a hash of the text, so that browsers may cache the text forever. */
  address: string
  /** Returns a response with the text, compressed if the client accepts that. */
  answer(context: { req: { header(name: string): string | undefined } }): Response
}

const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/** Brotli's highest levels are not used, because they take ten times as long for little gain. */
const COMPRESS = {
  br: (text: string) => brotliCompressSync(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => gzipSync(text, { level: 9 }),
}

const TYPES = { css: 'text/css', js: 'text/javascript' }

/** Declares a static text, such as a script. `stem` is the start of its URL, such as `/docs/assets/enhance`. */
export function asset(stem: string, extension: keyof typeof TYPES, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const headers = {
    ...ALWAYS,
    'Content-Type': `${TYPES[extension]}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  }
  const made = new Map<Encoding, Uint8Array<ArrayBuffer>>()
  return {
    address: `${stem}-${hash}.${extension}`,
    answer({ req }) {
      const taken = req.header('accept-encoding') ?? ''
      const encoding = ENCODINGS.find((one) => new RegExp(`\\b${one}\\b`).test(taken))
      if (encoding === undefined) return new Response(text, { headers })
      const body = made.get(encoding) ?? new Uint8Array(COMPRESS[encoding](text))
      made.set(encoding, body)
      return new Response(body, { headers: { ...headers, 'Content-Encoding': encoding } })
    },
  }
}

export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`
}

/** Returns whether an `If-None-Match` header (RFC 9110, section 13.1.2) matches: `*`, or a list of weak or strong tags. */
export function namesTag(list: string | null | undefined, etag: string): boolean {
  return list?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false
}

/** Concatenates CSS files into one stylesheet. Its URL begins with `below`, such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return asset(`${below}style`, 'css', text)
}

/** Returns the URLs of CSS files next to a module: `sheets(import.meta.url, 'frame', 'prose')`. */
export function sheets(module: string, ...names: string[]): URL[] {
  return names.map((name) => new URL(`./${name}.css`, module))
}

/** The styles of all pages: design tokens and shared elements. */
export const BASE = sheets(import.meta.url, 'tokens', 'base')

export const OPTIONS = sheets(import.meta.url, 'options')

const COMMON = stylesheet('/checkout/', ...BASE, ...sheets(import.meta.url, 'page', 'controls', 'message'))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
