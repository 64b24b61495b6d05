import { setImmediate as nextTurn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { cut } from '../../../contract/values/values.ts'
import { SourceFailedError } from '../provider.ts'

const SLICE_BYTES = 65_536
/** The number of characters that are searched for an XML declaration. */
const DECLARATION = 200
const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/
const CHARSET = /;\s*charset\s*=\s*"?([\w.-]+)/i

/** Decodes XML with the encoding of the response or of the XML declaration (RFC 7303), or else as UTF-8. */
class FeedText {
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

/** The parts of an item as the feed contains them, unchecked. */
export type FeedItem = Partial<Record<'id' | 'title' | 'link' | 'summary' | 'published', string>>

export interface Feed {
  title: string
  items: FeedItem[]
}

/** The maximum nesting of elements; an item's text may be XHTML. */
const MAX_DEPTH = 100
/** The maximum number of items to read. Most feeds have a few dozen, newest first. */
const MAX_ITEMS = 500
const MAX_TEXT = 5_000

const ROOTS = ['rss', 'feed', 'rdf:RDF']
const ITEMS = ['item', 'entry']
/** The elements of RSS 2.0 and Atom (RFC 4287). The first element of each part counts. */
const PARTS: Record<string, keyof FeedItem> = {
  guid: 'id',
  id: 'id',
  title: 'title',
  link: 'link',
  description: 'summary',
  summary: 'summary',
  content: 'summary',
  pubDate: 'published',
  'dc:date': 'published',
  published: 'published',
  updated: 'published',
}

/** Parses in slices, so that a long feed does not block the thread. Expands only predefined entities. Rejects with SourceFailedError. */
export async function readFeed(body: Uint8Array, contentType: string): Promise<Feed> {
  const reader = new FeedReader()
  for (const slice of new FeedText(body, contentType).slices()) {
    if (!reader.read(slice)) break
    await nextTurn()
  }
  return reader.feed()
}

class FeedReader {
  readonly #items: FeedItem[] = []
  #title: string | null = null
  readonly #open: string[] = []
  #item: { parts: FeedItem; depth: number } | null = null
  /** The text parsed so far of an item's part or of the feed's title. */
  #text: string | null = null
  #isFeed = false
  #wanted = true
  readonly #parser: Parser

  constructor() {
    const handler = {
      onopentag: (name: string, attributes: Record<string, string>) => this.#begin(name, attributes),
      ontext: (text: string) => {
        if (this.#text !== null && this.#text.length < MAX_TEXT) this.#text += text.replaceAll('\0', '')
      },
      onclosetag: (name: string) => this.#end(name),
    }
    this.#parser = new Parser(handler, { xmlMode: true })
  }

  /** Returns whether more slices are needed. */
  read(slice: string): boolean {
    if (this.#wanted) this.#parser.write(slice)
    return this.#wanted
  }

  feed(): Feed {
    if (!this.#isFeed) throw new SourceFailedError('The address has neither an RSS nor an Atom feed.')
    return { title: this.#title ?? '', items: this.#items }
  }

  #begin(name: string, attributes: Record<string, string>): void {
    this.#open.push(name)
    if (this.#open.length === 1) this.#isFeed = ROOTS.includes(name)
    if (!this.#isFeed || this.#open.length > MAX_DEPTH) this.#stop()
    else if (this.#item === null) this.#beginOutside(name)
    else if (this.#open.length === this.#item.depth + 1) this.#beginPart(this.#item.parts, name, attributes)
  }

  #beginOutside(name: string): void {
    if (ITEMS.includes(name)) this.#item = { parts: {}, depth: this.#open.length }
    else if (name === 'title' && this.#title === null) this.#text = ''
  }

  #beginPart(parts: FeedItem, name: string, { href, rel = 'alternate' }: Record<string, string>): void {
    if (name === 'link' && href !== undefined && rel === 'alternate') parts.link ??= cut(href, MAX_TEXT)
    this.#text = Object.hasOwn(PARTS, name) ? '' : null
  }

  #end(name: string): void {
    const depth = this.#open.length
    this.#open.pop()
    if (this.#item === null) this.#endOutside(name)
    else if (depth === this.#item.depth + 1) this.#endPart(this.#item.parts, name)
    else if (depth === this.#item.depth) this.#endItem(this.#item.parts)
  }

  #endOutside(name: string): void {
    if (name !== 'title' || this.#text === null) return
    this.#title = cut(this.#text.trim(), MAX_TEXT)
    this.#text = null
  }

  #endPart(parts: FeedItem, name: string): void {
    const text = cut((this.#text ?? '').trim(), MAX_TEXT)
    this.#text = null
    if (text !== '') parts[PARTS[name]!] ??= text
  }

  #endItem(parts: FeedItem): void {
    this.#items.push(parts)
    this.#item = null
    if (this.#items.length === MAX_ITEMS) this.#stop()
  }

  #stop(): void {
    this.#wanted = false
    // Without the pause, the parser would continue to the end of the slice.
    this.#parser.pause()
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

/** Returns the decoder for an encoding, or for UTF-8 if the encoding is unknown. */
function decoderOf(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
