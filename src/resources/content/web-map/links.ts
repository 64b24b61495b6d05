import { setImmediate as nextTurn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'

const SLICE_BYTES = 65_536

/** The maximum nesting of elements, the same as in browsers. */
const MAX_DEPTH = 512

/** Reads the links of a page in order, with their base URLs, until `onLink` returns false. */
export async function readLinks(
  body: Uint8Array,
  page: URL,
  onLink: (href: string, base: URL) => boolean,
): Promise<void> {
  let base = page
  let hasBase = false
  let depth = 0
  let wanted = true
  const parser = new Parser({
    onopentag(name, { href }) {
      depth += 1
      if (name === 'base' && !hasBase && href !== undefined && URL.canParse(href, page.href)) {
        base = new URL(href, page.href)
        hasBase = true
      } else if ((name === 'a' || name === 'area') && href !== undefined) wanted = onLink(href.trim(), base)
      wanted &&= depth <= MAX_DEPTH
      // Without the pause, the parser would continue to the end of the slice.
      if (!wanted) parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  for await (const slice of slicesOf(body)) {
    if (!wanted) return
    parser.write(slice)
  }
}

/** Yields text in slices, so that parsing a long text does not block other requests. */
export async function* slicesOf(body: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    yield decoder.decode(body.subarray(start, start + SLICE_BYTES), { stream: true })
    await nextTurn()
  }
}
