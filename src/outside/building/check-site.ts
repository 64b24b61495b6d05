import { accessProblems } from './check-accessible.ts'
import { contrastProblems } from './check-contrast.ts'
import { brokenLinks, missingFiles } from './check-links.ts'
import { foreignLoads, policyProblems } from './elsewhere.ts'
import { loadsOfPage, loadsOfStyle } from './loads.ts'
import { pagesOf, textOf } from './pages.ts'
import type { SiteFile } from './provider.ts'
import { sizeProblems } from './sizes.ts'

/**
 * Everything that is wrong with a site that was written for this service: size, links, what it loads, what the policy of
 * sites would refuse, and what keeps people from using it. A sentence each, which says what would be right.
 */
export function checkSite(files: readonly SiteFile[]): string[] {
  const sizes = sizeProblems(files)
  // What is too large is not read.
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
