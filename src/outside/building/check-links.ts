import type { Load } from './loads.ts'
import { fileAt, type ParsedPage, targetOf } from './pages.ts'

/** Schemes that links to elsewhere may have. */
const SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** Links of pages that lead to no file, to no part of a page, or nowhere. */
export function brokenLinks(pages: readonly ParsedPage[], paths: ReadonlySet<string>): string[] {
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

/** What is loaded from the site itself and is not there. */
export function missingFiles(loads: readonly Load[], paths: ReadonlySet<string>): string[] {
  return loads.flatMap(({ from, what, address }) => {
    const target = targetOf(address, from)
    if (target.kind === 'wrong') return [`${from}: ${JSON.stringify(address.slice(0, 200))} is no address.`]
    if (target.kind !== 'local' || paths.has(target.path) || address.startsWith('#')) return []
    return [`${from}: there is no ${what} at ${JSON.stringify(address.slice(0, 200))}.`]
  })
}
