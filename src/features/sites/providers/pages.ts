import { Parser } from 'htmlparser2'
import { isPage } from './limits.ts'
import type { SiteFile } from './provider.ts'

export interface Element {
  name: string
  attributes: Record<string, string>
  /** The text of an element that is checked: all of it for scripts and styles, otherwise the beginning. */
  text: string
  /** Whether the element contains a picture with an alternative text or another labeled element. */
  holdsName: boolean
  inHead: boolean
  inLabel: boolean
}

export interface ParsedPage {
  path: string
  source: string
  elements: Element[]
  /** Whether elements are nested deeper than checks can follow. */
  isDeep: boolean
}

/** Parses the HTML files of a site; elements are in document order. */
export function pagesOf(files: readonly SiteFile[]): ParsedPage[] {
  return files.filter(({ path }) => isPage(path)).map(({ path, bytes }) => parsed(path, textOf(bytes)))
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

export const DEEPEST = 250
const MOST_TEXT = 200
const WHOLE_TEXT = ['script', 'style']
const WITH_TEXT = [...WHOLE_TEXT, 'title', 'a', 'button']

/** Parses without recursion, because the author of the page controls how deep elements are nested. */
function parsed(path: string, source: string): ParsedPage {
  const page: ParsedPage = { path, source, elements: [], isDeep: false }
  const open: Element[] = []
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > DEEPEST) {
        page.isDeep = true
        return
      }
      const inside = (outer: string) => open.some((one) => one.name === outer)
      const around = { inHead: inside('head'), inLabel: inside('label') }
      const element = { name, attributes: { ...attributes }, text: '', holdsName: false, ...around }
      if (attributes.alt?.trim() || attributes['aria-label']?.trim()) for (const outer of open) outer.holdsName = true
      page.elements.push(element)
      open.push(element)
    },
    ontext(text) {
      for (const element of open) {
        if (!WITH_TEXT.includes(element.name)) continue
        const room = WHOLE_TEXT.includes(element.name) ? text.length : MOST_TEXT - element.text.length
        if (room > 0) element.text += text.slice(0, room)
      }
    },
    onclosetag() {
      if (depth <= DEEPEST) open.pop()
      depth -= 1
    },
  })
  parser.end(source)
  return page
}

export type Target =
  | { kind: 'local'; path: string; fragment: string }
  | { kind: 'elsewhere'; url: URL }
  | { kind: 'wrong' }

const OWN = 'http://own.invalid'

export function targetOf(address: string, from: string): Target {
  const url = URL.parse(address.trim(), `${OWN}/${from}`)
  if (url === null) return { kind: 'wrong' }
  if (url.origin !== OWN) return { kind: 'elsewhere', url }
  try {
    return {
      kind: 'local',
      path: decodeURIComponent(url.pathname).slice(1),
      fragment: decodeURIComponent(url.hash.slice(1)),
    }
  } catch {
    return { kind: 'wrong' }
  }
}

export function fileAt(path: string, paths: ReadonlySet<string>): string | null {
  const isFolder = path === '' || path.endsWith('/')
  const tries = isFolder ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`]
  return tries.find((one) => paths.has(one)) ?? null
}

/** Removes the comments of a stylesheet; an unterminated one extends to the end. */
export function withoutComments(style: string): string {
  let [kept, at] = ['', 0]
  for (;;) {
    const start = style.indexOf('/*', at)
    if (start < 0) return kept + style.slice(at)
    kept += style.slice(at, start)
    const end = style.indexOf('*/', start + 2)
    if (end < 0) return kept
    at = end + 2
  }
}
