import { createHash } from 'node:crypto'
import { type Contents, FileTooLargeError } from './provider.ts'

/** The number of bytes that are searched for a file's signature. In archives, and in music with a cover, it can be far behind. */
const HEAD_BYTES = 65_536

/** Control characters that do not occur in text: all except tab, line feed, form feed and carriage return. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_TEXT = /[\0-\x08\x0b\x0e-\x1f\x7f]/

class Inspector {
  readonly #maxBytes: number
  readonly #hash = createHash('sha256')
  readonly #head: Uint8Array[] = []
  #headBytes = 0
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Throws FileTooLargeError. */
  take(chunk: Uint8Array): void {
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) throw new FileTooLargeError(this.#maxBytes)
    this.#hash.update(chunk)
    if (this.#headBytes >= HEAD_BYTES) return
    const part = chunk.slice(0, HEAD_BYTES - this.#headBytes)
    this.#head.push(part)
    this.#headBytes += part.length
  }

  async contents(): Promise<Contents> {
    const head = Buffer.concat(this.#head)
    const type = await typeOf(head)
    const whole = this.#size === head.length
    return { size: this.#size, sha256: this.#hash.digest('hex'), type, isText: type === null && isText(head, whole) }
  }
}

export async function inspect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Contents> {
  const inspector = new Inspector(maxBytes)
  for await (const chunk of chunks) inspector.take(chunk)
  return inspector.contents()
}

/** Detects the media type. The library loads with the first file, because most test processes never need it. */
async function typeOf(head: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? null
}

/** Returns whether the bytes are text. Unless they are the `whole` file, they may end within a character. */
function isText(head: Uint8Array, whole: boolean): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !whole })
    return head.length > 0 && !NOT_TEXT.test(text)
  } catch {
    return false
  }
}
