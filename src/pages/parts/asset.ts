import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

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
  let gzip: Uint8Array<ArrayBuffer> | undefined
  return {
    address: `${stem}-${hash}.${extension}`,
    answer({ req }) {
      if (!/\bgzip\b/.test(req.header('accept-encoding') ?? '')) return new Response(text, { headers })
      gzip ??= new Uint8Array(gzipSync(text, { level: 9 }))
      return new Response(gzip, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
    },
  }
}
