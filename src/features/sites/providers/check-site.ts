import { type Color, contrast, READABLE } from '../../../contract/values/colors.ts'
import { formatDecimal } from '../../../format/numbers.ts'
import { foreignLoads, type Load, loadsOfPage, loadsOfStyle, policyProblems } from './elsewhere.ts'
import { sizeProblems } from './limits.ts'
import { DEEPEST, type Element, fileAt, type ParsedPage, pagesOf, targetOf, textOf, withoutComments } from './pages.ts'
import type { SiteFile } from './provider.ts'

const BACKGROUND = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)/i

/** CSS variables with their values; null for a variable with several values, because its value depends on the element. */
type Variables = ReadonlyMap<string, string | null>

const NAMED: Record<string, Color> = { white: '#ffffff', black: '#000000' }

type Labelled = ReadonlySet<string | undefined>

const WITHOUT_LABEL = ['hidden', 'submit', 'reset', 'button', 'image']

const SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** Checks a site that was written for this service. Returns sentences that say how to correct its problems. */
export function checkSite(files: readonly SiteFile[]): string[] {
  const sizes = sizeProblems(files)
  if (sizes.length > 0) return sizes
  const paths = new Set(files.map(({ path }) => path))
  const pages = pagesOf(files)
  const styles = files.filter(({ path }) => /\.css$/i.test(path))
  const loads = [...pages.flatMap(loadsOfPage), ...styles.flatMap(loadsOfStyle)]
  const inPages = pages.flatMap(({ path, elements }) =>
    elements.flatMap(({ name, text }) => (name === 'style' ? contrastProblems(path, text) : [])),
  )
  const found = [
    ...pages.flatMap(policyProblems),
    ...foreignLoads(loads),
    ...missingFiles(loads, paths),
    ...brokenLinks(pages, paths),
    ...pages.flatMap(accessProblems),
    ...styles.flatMap(({ path, bytes }) => contrastProblems(path, textOf(bytes))),
    ...inPages,
  ]
  return [...new Set(found)]
}

function brokenLinks(pages: readonly ParsedPage[], paths: ReadonlySet<string>): string[] {
  const ids = new Map(pages.map((page) => [page.path, idsOf(page)]))
  return pages.flatMap(({ path, elements }) =>
    elements.flatMap(({ name, attributes: { href } }) => {
      if ((name !== 'a' && name !== 'area') || href === undefined) return []
      const problem = problemOf(href, path, paths, ids)
      return problem === null ? [] : [`${path}: the link to ${JSON.stringify(href.slice(0, 200))} ${problem}.`]
    }),
  )
}

function problemOf(
  href: string,
  from: string,
  paths: ReadonlySet<string>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): string | null {
  const target = targetOf(href, from)
  if (target.kind === 'wrong') return 'is no address'
  if (target.kind === 'elsewhere')
    return SCHEMES.includes(target.url.protocol) ? null : `has the scheme ${target.url.protocol}, which is not allowed`
  const file = fileAt(target.path, paths)
  if (file === null) return 'leads to no file of the site'
  const { fragment } = target
  const known = ids.get(file)
  return fragment === '' || fragment === 'top' || !known || known.has(fragment) ? null : `leads to no id in ${file}`
}

function idsOf({ elements }: ParsedPage): ReadonlySet<string> {
  return new Set(elements.flatMap(({ attributes: { id, name } }) => [id, name].filter((one) => one !== undefined)))
}

function missingFiles(loads: readonly Load[], paths: ReadonlySet<string>): string[] {
  return loads.flatMap(({ from, what, address }) => {
    const target = targetOf(address, from)
    if (target.kind === 'wrong') return [`${from}: ${JSON.stringify(address.slice(0, 200))} is no address.`]
    if (target.kind !== 'local' || paths.has(target.path) || address.startsWith('#')) return []
    return [`${from}: there is no ${what} at ${JSON.stringify(address.slice(0, 200))}.`]
  })
}

function accessProblems({ path, source, elements, isDeep }: ParsedPage): string[] {
  const labelled = new Set(elements.flatMap((one) => (one.name === 'label' ? [one.attributes.for] : [])))
  const of = (name: string) => elements.filter((element) => element.name === name)
  const problems = [
    ...(/^\s*<!doctype html/i.test(source) ? [] : ['It does not begin with <!doctype html>.']),
    ...(of('html')[0]?.attributes.lang?.trim() ? [] : ['<html> has no lang, such as lang="en".']),
    ...(of('title').some(({ text, inHead }) => text.trim() && inHead) ? [] : ['It has no <title>.']),
    ...(of('meta').some(({ attributes: { name } }) => name === 'viewport')
      ? []
      : ['It has no <meta name="viewport" content="width=device-width, initial-scale=1">.']),
    ...(of('main').length === 1 ? [] : ['It needs exactly one <main>.']),
    ...(isDeep ? [`Its elements are nested more than ${DEEPEST} deep.`] : []),
    ...headingProblems(elements),
    ...elements.flatMap((element) => ofElement(element, labelled)),
    ...repeatedIds(elements),
  ]
  return problems.map((problem) => `${path}: ${problem}`)
}

function headingProblems(elements: readonly Element[]): string[] {
  const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []))
  const first = levels.filter((level) => level === 1).length
  const skipped = levels.find((level, index) => level > (levels[index - 1] ?? 0) + 1)
  return [
    ...(first === 1 ? [] : [`It needs exactly one <h1>, and has ${first}.`]),
    ...(skipped ? [`<h${skipped}> comes after a heading that is not one level above it.`] : []),
  ]
}

function ofElement(element: Element, labelled: Labelled): string[] {
  const { name, attributes } = element
  if (name === 'img' && attributes.alt === undefined)
    return ['A picture has no alt; give it words, or alt="" for decoration.']
  if ((name === 'a' && attributes.href !== undefined) || name === 'button')
    return hasName(element) ? [] : [`A ${name === 'a' ? 'link' : 'button'} has no words.`]
  if (['input', 'select', 'textarea'].includes(name)) return fieldProblem(element, labelled)
  return []
}

function hasName({ attributes, text, holdsName }: Element): boolean {
  return holdsName || Boolean(text.trim() || attributes['aria-label']?.trim() || attributes['aria-labelledby'])
}

function fieldProblem({ attributes, inLabel }: Element, labelled: Labelled): string[] {
  if (WITHOUT_LABEL.includes(attributes.type ?? '') || inLabel) return []
  if (attributes['aria-label']?.trim() || attributes['aria-labelledby']) return []
  return attributes.id && labelled.has(attributes.id) ? [] : ['A field has no <label>.']
}

function repeatedIds(elements: readonly Element[]): string[] {
  const ids = elements.flatMap(({ attributes: { id } }) => (id ? [id] : []))
  const seen = new Set<string>()
  const repeated = ids.find((id) => seen.size === seen.add(id).size)
  return repeated ? [`The id ${JSON.stringify(repeated.slice(0, 100))} is used more than once.`] : []
}

/** Finds CSS rules with too little contrast, if the text and the background are both plain colours. */
function contrastProblems(path: string, given: string): string[] {
  const style = withoutComments(given)
  const variables = variablesOf(style)
  return [...style.matchAll(/([^{}]{1,500})\{([^{}]{0,5000})\}/g)].flatMap(([, selector = '', body = '']) => {
    const [ink, paper] = [colourIn(body, /(?:^|;)\s*color\s*:\s*([^;]+)/i), colourIn(body, BACKGROUND)]
    const [front, back] = [colourOf(ink, variables), colourOf(paper, variables)]
    if (!front || !back) return []
    const ratio = contrast(front, back)
    if (ratio >= READABLE) return []
    return [
      `${path}: the text of ${selector.trim().replace(/\s+/g, ' ').slice(0, 80)} has a contrast of ${formatDecimal(ratio, 1)}:1 to its background; it needs ${READABLE}:1.`,
    ]
  })
}

function colourIn(body: string, pattern: RegExp): string | null {
  return pattern.exec(body)?.[1]?.trim() ?? null
}

function variablesOf(style: string): Variables {
  const found = new Map<string, string | null>()
  for (const [, name = '', value = ''] of style.matchAll(/(--[\w-]+)\s*:\s*([^;}]+)/g)) {
    const known = found.get(name)
    found.set(name, known === undefined || known === value.trim() ? value.trim() : null)
  }
  return found
}

/** Returns a plain, opaque colour as hexadecimal; null for anything else. */
function colourOf(given: string | null, variables: Variables, depth = 0): Color | null {
  if (given === null || depth > 5) return null
  const [, name] = /^var\(\s*(--[\w-]+)\s*\)$/.exec(given) ?? []
  if (name !== undefined) return colourOf(variables.get(name) ?? null, variables, depth + 1)
  const [, hex] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(given) ?? []
  if (hex !== undefined) return `#${hex.length === 3 ? hex.replace(/./g, '$&$&') : hex}`
  const [, ...parts] = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/i.exec(given) ?? []
  if (parts.length === 0) return NAMED[given.toLowerCase()] ?? null
  return `#${parts.map((part) => Math.min(255, Number(part)).toString(16).padStart(2, '0')).join('')}`
}
