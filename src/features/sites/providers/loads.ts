import { type Element, type ParsedPage, textOf, withoutComments } from './pages.ts'
import type { SiteFile } from './provider.ts'

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
    [...ofElement(element), ...sourceSet(element), ...ofStyles(element)].map((load) => ({ from: path, ...load })),
  )
}

export function loadsOfStyle({ path, bytes }: SiteFile): Load[] {
  return inStyle(textOf(bytes)).map((load) => ({ from: path, ...load }))
}

function ofElement({ name, attributes }: Element): Omit<Load, 'from'>[] {
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
