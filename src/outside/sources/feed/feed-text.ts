const SLICE_BYTES = 65_536
/** Characters of the beginning among which an XML declaration is. */
const DECLARATION = 200
const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/
const CHARSET = /;\s*charset\s*=\s*"?([\w.-]+)/i

/** The text of an XML document, in the encoding that its server or its declaration names (RFC 7303), UTF-8 otherwise. */
export class FeedText {
  readonly #body: Uint8Array
  readonly #decoder: TextDecoder

  constructor(body: Uint8Array, contentType: string) {
    this.#body = body
    this.#decoder = decoderOf(byOrderMark(body) ?? CHARSET.exec(contentType)?.[1] ?? declared(body))
  }

  *slices(): Generator<string> {
    for (let start = 0; start < this.#body.length; start += SLICE_BYTES)
      yield this.#decoder.decode(this.#body.subarray(start, start + SLICE_BYTES), { stream: true })
  }
}

function byOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function declared(body: Uint8Array): string | undefined {
  return ENCODING.exec(Buffer.from(body.subarray(0, DECLARATION)).toString('latin1'))?.[1]
}

/** A name that nobody knows is as good as none. */
function decoderOf(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
