import { gzipSync } from 'node:zlib'

/** A text that never changes, such as a script or a stylesheet, as it is sent. */
export class Packed {
  readonly #text: string
  readonly #headers: Record<string, string>
  #gzip: Uint8Array<ArrayBuffer> | undefined

  /** `type` is its media type. Its address has a hash of the text, so browsers may keep it for ever. */
  constructor(text: string, type: string, headers: Record<string, string>) {
    this.#text = text
    this.#headers = {
      ...headers,
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    }
  }

  /** Compressed, where the client takes that. */
  answer(acceptEncoding: string | null | undefined): Response {
    if (!/\bgzip\b/.test(acceptEncoding ?? '')) return new Response(this.#text, { headers: this.#headers })
    this.#gzip ??= new Uint8Array(gzipSync(this.#text, { level: 9 }))
    return new Response(this.#gzip, { headers: { ...this.#headers, 'Content-Encoding': 'gzip' } })
  }
}
