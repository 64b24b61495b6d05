import { Parser } from 'htmlparser2'
import { slicesOf } from './links.ts'

/** The maximum nesting of elements; a sitemap has four levels. */
const MAX_DEPTH = 20
/** The maximum length of a URL in characters; longer URLs are ignored. */
const MAX_LOCATION = 4_000
/** The maximum number of URLs in a sitemap, as the sitemap protocol defines it. */
export const MAX_LOCATIONS = 50_000

/** Each callback returns whether to continue reading. */
export interface SitemapReader {
  onPage(location: string): boolean
  onSitemap(location: string): boolean
}

/** Reads XML, an index of sitemaps, or text with one URL per line, in slices. Malformed content ends the reading. */
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

/** Returns a reader of XML. It expands XML's five named entities and numeric ones, but none that a document declares. */
function xml(reader: SitemapReader): SliceParser {
  const open: string[] = []
  let location: string | null = null
  let wanted = true
  const stop = () => {
    wanted = false
    // Without the pause, the parser would continue to the end of the slice.
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
