import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

/** Headers of whatever these pages answer. */
export const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** A text that never changes, such as a script or a stylesheet. */
export interface Asset {
  /** Has the hash of the text in it, so that browsers may keep it for ever. */
  address: string
  /** The text, for a request of the address: compressed, where the client takes that. */
  answer(context: { req: { header(name: string): string | undefined } }): Response
}

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]

/** Brotli’s last levels take ten times as long for little. */
const COMPRESS = {
  br: (text: string) => brotliCompressSync(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: string) => gzipSync(text, { level: 9 }),
}

const TYPES = { css: 'text/css', js: 'text/javascript' }

/** `stem` is the beginning of its address, such as `/docs/assets/enhance`. */
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

/** The entity tag of a text: as long as it is the same, so is the text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url')}"`
}

/** Whether an `If-None-Match` names the tag (RFC 9110, section 13.1.2): `*`, or a list of tags, marked as weak or not. */
export function namesTag(list: string | null | undefined, etag: string): boolean {
  return list?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false
}
