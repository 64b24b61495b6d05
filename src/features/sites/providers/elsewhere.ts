import { type Load, loadsOfPage, loadsOfStyle } from './loads.ts'
import { type Element, type ParsedPage, pagesOf, targetOf } from './pages.ts'
import type { SiteFile } from './provider.ts'

/** Lists violations of the Content-Security-Policy of hosted sites, which allows scripts and styles only in files of the site. */
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

/** Returns notes for the owner of a site that was written for another host. */
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
