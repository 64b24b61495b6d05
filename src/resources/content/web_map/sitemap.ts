import { Parser } from 'htmlparser2'
import { slicesOf } from './links.ts'

/** Elements within each other; a sitemap has four. */
const MAX_DEPTH = 20
/** Characters of an address; longer ones are none. */
const MAX_LOCATION = 4_000
/** URLs that one sitemap may hold by its protocol. */
export const MAX_LOCATIONS = 50_000

/** Receives what a sitemap lists. Each function returns whether it wants more. */
export interface SitemapReader {
  onPage(location: string): boolean
  /** The address of another sitemap, in an index. */
  onSitemap(location: string): boolean
}

/** Reads a sitemap as it comes: XML, an index of others, or plain text with a URL a line. What is malformed ends it. */
export async function readSitemap(body: Uint8Array, reader: SitemapReader): Promise<void> {
  const parse = isText(body) ? lines(reader) : xml(reader)
  for await (const slice of slicesOf(body)) if (!parse(slice)) return
}

type Parse = (slice: string) => boolean

function isText(body: Uint8Array): boolean {
  return /^\s*https?:\/\//.test(Buffer.from(body.subarray(0, 100)).toString('latin1'))
}

function lines({ onPage }: SitemapReader): Parse {
  let rest = ''
  return (slice) => {
    const all = (rest + slice).split(/\r?\n/)
    rest = all.pop()!.slice(0, MAX_LOCATION)
    return all.every((line) => line.trim() === '' || onPage(line.trim()))
  }
}

/** The parser knows the five entities of XML and numbers, and no others: what a document declares is never expanded. */
function xml(reader: SitemapReader): Parse {
  const open: string[] = []
  let location: string | null = null
  let wanted = true
  const stop = () => {
    wanted = false
    // Otherwise it goes on to the end of the slice.
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
