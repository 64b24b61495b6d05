// Lists the licences of everything that a release runs on: npm run licences [-- --check]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameAt, productionPlaces } from './lock.ts'
import { ROOT, readLock } from './stage.ts'

/** Licences that ask for a notice alone. What else comes in is looked at by a person, who adds it here or does without. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Packages whose licence is not among those, with why they may be used. */
const LOOKED_AT: Record<string, string> = {
  'dejavu-fonts-ttf':
    'the licence of Bitstream Vera: the fonts may be used, embedded and passed on, but not sold by themselves',
  mediabunny: 'MPL-2.0 covers its own files, which are used as they are published',
  'png-js': 'its manifest names no licence; the LICENSE file beside it is that of MIT',
}

export interface Licensed {
  name: string
  version: string
  licence: string
}

/** Each package of a release with the licence that it declares, by name. Packages of other machines are among them. */
export function licences(): Licensed[] {
  const lock = readLock()
  const all = productionPlaces(lock).map((place) => {
    const { name = nameAt(place), version = '', license } = lock.packages[place]!
    return { name, version, licence: license ?? licenceOf(place) }
  })
  const unique = new Map(all.map((one) => [`${one.name} ${one.version}`, one]))
  return [...unique.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Those that nobody has allowed. */
export function refused(all: Licensed[]): Licensed[] {
  return all.filter(({ name, licence }) => !(name in LOOKED_AT) && !isAllowed(licence))
}

/** `MIT OR GPL-3.0` is allowed by its first half, `MIT AND GPL-3.0` is not. */
export function isAllowed(licence: string): boolean {
  const bare = licence.replaceAll(/[()]/g, '')
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one.trim())))
}

export function asText(all: Licensed[]): string {
  const counts = Object.entries(Object.groupBy(all, ({ licence }) => licence)).map(
    ([licence, some]) => `  ${licence}: ${some!.length}`,
  )
  const lines = all.map(({ name, version, licence }) => `${name} ${version}: ${licence}`)
  return [
    'Packages that Shopwright runs on, with the licences they declare.',
    '',
    ...counts.sort(),
    '',
    ...lines,
    '',
  ].join('\n')
}

/** Some packages declare it in the manifest alone. */
function licenceOf(place: string): string {
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(ROOT, place, 'package.json'), 'utf8'))
    return license?.type ?? license ?? licenses?.map(({ type }: { type: string }) => type).join(' OR ') ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

if (import.meta.main) {
  const all = licences()
  const problems = refused(all)
  if (!process.argv.includes('--check')) process.stdout.write(asText(all))
  for (const { name, version, licence } of problems)
    console.error(`${name} ${version} has the licence ${licence}, which release/licences.ts does not allow.`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
