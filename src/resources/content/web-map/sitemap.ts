import { Parser } from 'htmlparser2'
import { slicesOf } from './links.ts'

/** The deepest nesting of elements that is read; a sitemap has four levels. */
const MAX_DEPTH = 20
/** The maximum length of a URL in characters. Longer URLs are ignored. */
const MAX_LOCATION = 4_000
/** The maximum number of URLs in one sitemap, as defined by the protocol. */
export const MAX_LOCATIONS = 50_000

/** Callbacks for the entries of a sitemap. Each callback returns whether to continue reading. */
export interface SitemapReader {
  onPage(location: string): boolean
  /** Receives the URL of another sitemap in an index. */
  onSitemap(location: string): boolean
}

/** Reads a sitemap in slices. It may be XML, an index, or plain text with one URL per line. Reading ends at malformed content. */
export async function readSitemap(body: Uint8Array, reader: SitemapReader): Promise<void> {
  const parse = isText(body) ? lines(reader) : xml(reader)
  for await (const slice of slicesOf(body)) if (!parse(slice)) return
}

type SliceParser = (slice: string) => boolean

function isText(body: Uint8Array): boolean {
  return /^\s*https?:\/\//.test(Buffer.from(body.subarray(0, 100)).toString('latin1'))
}

function lines({ onPage }: SitemapReader): SliceParser {
  let rest = ''
  return (slice) => {
    const all = (rest + slice).split(/\r?\n/)
    rest = all.pop()!.slice(0, MAX_LOCATION)
    return all.every((line) => line.trim() === '' || onPage(line.trim()))
  }
}

/** Creates a parser that expands XML's five named entities and numeric ones, but no entities that a document declares. */
function xml(reader: SitemapReader): SliceParser {
  const open: string[] = []
  let location: string | null = null
  let wanted = true
  const stop = () => {
    wanted = false
    // Without a pause, the parser would continue to the end of the slice.
    parser.pause()
  }
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(name)
        location = name === 'loc' ? '' : null
        if (open.length > MAX_DEPTH) stop()
      },
      ontext(text) {
        if (location !== null && location.length < MAX_LOCATION) location += text
      },
      onclosetag(name) {
        open.pop()
        const isComplete = name === 'loc' && location !== null
        if (isComplete && !report(reader, open.at(-1), location!.trim())) stop()
        location = null
      },
    },
    { xmlMode: true },
  )
  return (slice) => {
    if (wanted) parser.write(slice)
    return wanted
  }
}

function report({ onPage, onSitemap }: SitemapReader, parent: string | undefined, location: string): boolean {
  if (parent === 'url') return onPage(location)
  return parent === 'sitemap' ? onSitemap(location) : true
}
