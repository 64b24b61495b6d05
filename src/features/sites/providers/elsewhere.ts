import { type Element, type ParsedPage, pagesOf, targetOf, textOf, withoutComments } from './pages.ts'
import type { SiteFile } from './provider.ts'

/**
 * Lists violations of the Content-Security-Policy of hosted sites, which allows no frames, and scripts only in files of the site.
 */
export function policyProblems(page: ParsedPage): string[] {
  return page.elements.flatMap((element) => ofElement(element).map((problem) => `${page.path}: ${problem}`))
}

const FRAMES = ['iframe', 'frame', 'frameset', 'object', 'embed', 'portal']

function ofElement({ name, attributes, text }: Element): string[] {
  const handler = Object.keys(attributes).find((one) => /^on/i.test(one))
  return [
    ...(FRAMES.includes(name) ? [`<${name}> is not shown on sites; link to the page instead.`] : []),
    ...(name === 'base' ? ['<base> has no effect on sites; write addresses from the root.'] : []),
    ...(isInlineScript(name, attributes, text) ? ['Scripts inside a page do not run; put them into a file.'] : []),
    ...(handler ? [`The attribute ${handler} does not run; use addEventListener in a script file.`] : []),
    ...(name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')
      ? ['A page must not lead elsewhere by itself (meta refresh).']
      : []),
    ...formProblem(name, attributes),
    ...(/^\s*javascript:/i.test(attributes.href ?? '') ? ['Links to javascript: do not work.'] : []),
  ]
}

/** A data block, such as one for search engines, is not a script. */
function isInlineScript(name: string, { src, type = '' }: Element['attributes'], text: string): boolean {
  return (
    name === 'script' && src === undefined && text.trim() !== '' && (type === '' || /javascript|module/i.test(type))
  )
}

function formProblem(name: string, { action = '', formaction = '' }: Element['attributes']): string[] {
  const address = name === 'form' ? action : formaction
  if (address === '' || targetOf(address, '').kind === 'local') return []
  return ['A form must not be sent to another site; link to a page of the shop instead.']
}

/** Returns a note for each resource of another origin, which browsers refuse to load on hosted sites. */
export function foreignLoads(loads: readonly Load[]): string[] {
  return loads.flatMap(({ from, what, address }) => {
    const target = targetOf(address, from)
    if (target.kind !== 'elsewhere') return []
    const { protocol, origin } = target.url
    if (protocol === 'data:' && (what === 'picture' || what === 'file')) return []
    const where = protocol === 'data:' ? 'a data: address' : origin
    return [`${from}: the ${what} from ${where} is not loaded; copy it into the site.`]
  })
}

const MOST_NOTES = 10
/** The maximum size of a file that is checked for notes, in bytes. */
const LARGEST_READ = 300_000

/** Returns notes for the owner of a site whose files were not written for this service, about what does not work here. */
export function elsewhereNotes(files: readonly SiteFile[]): string[] {
  const read = files.filter(({ bytes }) => bytes.length <= LARGEST_READ)
  const pages = pagesOf(read)
  const styles = read.filter(({ path }) => /\.css$/i.test(path))
  const notes = [
    ...foreignLoads([...pages.flatMap(loadsOfPage), ...styles.flatMap(loadsOfStyle)]),
    ...pages.flatMap(policyProblems),
  ]
  return [...new Set(notes)].slice(0, MOST_NOTES)
}

/** A resource that a page or stylesheet loads automatically, with its address as written. */
export interface Load {
  from: string
  what: 'script' | 'stylesheet' | 'picture' | 'media' | 'file'
  address: string
}

const OF_ELEMENTS: Record<string, readonly [attribute: string, what: Load['what']][]> = {
  script: [['src', 'script']],
  img: [['src', 'picture']],
  source: [['src', 'media']],
  video: [
    ['src', 'media'],
    ['poster', 'picture'],
  ],
  audio: [['src', 'media']],
  track: [['src', 'media']],
  image: [
    ['href', 'picture'],
    ['xlink:href', 'picture'],
  ],
  use: [
    ['href', 'picture'],
    ['xlink:href', 'picture'],
  ],
  input: [['src', 'picture']],
}

/** The `rel` values of link elements that browsers load automatically. */
const LOADED_LINKS = /\b(stylesheet|icon|manifest|preload|modulepreload|prefetch|apple-touch-icon)\b/i

export function loadsOfPage({ path, elements }: ParsedPage): Load[] {
  return elements.flatMap((element) =>
    [...loadsOfElement(element), ...sourceSet(element), ...ofStyles(element)].map((load) => ({ from: path, ...load })),
  )
}

export function loadsOfStyle({ path, bytes }: SiteFile): Load[] {
  return inStyle(textOf(bytes)).map((load) => ({ from: path, ...load }))
}

function loadsOfElement({ name, attributes }: Element): Omit<Load, 'from'>[] {
  if (name === 'link') return ofLink(attributes)
  return (OF_ELEMENTS[name] ?? []).flatMap(([attribute, what]) => {
    const address = attributes[attribute]
    return address === undefined ? [] : [{ what, address }]
  })
}

function ofLink({ rel = '', href = '' }: Element['attributes']): Omit<Load, 'from'>[] {
  if (!LOADED_LINKS.test(rel)) return []
  return [{ what: /stylesheet/i.test(rel) ? 'stylesheet' : 'file', address: href }]
}

function sourceSet({ attributes: { srcset } }: Element): Omit<Load, 'from'>[] {
  const candidates = (srcset ?? '').split(/,\s+/).map((one) => one.trim().split(/\s+/)[0] ?? '')
  return candidates.filter(Boolean).map((address) => ({ what: 'picture', address }))
}

function ofStyles({ name, attributes, text }: Element): Omit<Load, 'from'>[] {
  return [...(name === 'style' ? inStyle(text) : []), ...(attributes.style ? inStyle(attributes.style) : [])]
}

function inStyle(given: string): Omit<Load, 'from'>[] {
  const style = withoutComments(given)
  const imports = [...style.matchAll(/@import\s{1,20}(?:url\(\s{0,20})?["']?([^"')\s;]{1,2000})/gi)].map(
    ([, address = '']) => ({ what: 'stylesheet' as const, address }),
  )
  const rest = style.replace(/@import[^;]{0,2000}/gi, '')
  const files = [
    ...rest.matchAll(/url\(\s{0,20}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^)'"]{0,2000}))\s{0,20}\)/gi),
  ].map((match) => ({
    what: 'file' as const,
    address: (match[1] ?? match[2] ?? match[3] ?? '').trim(),
  }))
  return [...imports, ...files]
}
