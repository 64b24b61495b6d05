import { editDistance } from '../contract/values/nearest.ts'
import { RENAMED, settingMeanings } from './config.ts'
import { QUOTED } from './values.ts'

/** The minimum length of a name that is checked for typos; shorter ones, such as `PORT`, resemble too many variables of other programs. */
const SHORTEST_NAME = 8
/** The length from which a name with two typos counts as misspelt; in shorter names, only one typo does. */
const LONG_NAME = 10

/**
 * Returns warnings about settings that are probably mistakes but do not stop the service. Variables that are no settings are
 * ignored, unless they look like a misspelt setting that is not set.
 */
export function settingWarnings(environment: Record<string, string | undefined>): string[] {
  const names = settingMeanings().map(({ name }) => name)
  const given = Object.keys(environment).filter((name) => environment[name])
  const known = new Set(names)
  const missing = names.filter((name) => !environment[name] && name.length >= SHORTEST_NAME)
  const misspelt = given
    .filter((name) => !known.has(name) && !RENAMED[name])
    .flatMap((name) => {
      const written = name.toUpperCase()
      const meant =
        missing.find((setting) => isTypo(written, setting)) ?? names.find((one) => written === `SHOPWRIGHT_${one}`)
      return meant ? [`${name} is not a setting, and it changes nothing. Did you mean ${meant}?`] : []
    })
  const empty = names.filter((name) => environment[name]?.trim() === '')
  return [
    ...misspelt,
    ...renamed(environment),
    ...emptyLine(empty),
    ...keyWarnings(environment),
    ...unencrypted(environment),
  ]
}

function renamed(environment: Record<string, string | undefined>): string[] {
  return Object.entries(RENAMED).flatMap(([old, name]) => {
    if (!environment[old]) return []
    if (environment[name]) return [`${old} changes nothing, because ${name} is set, which is its new name.`]
    return [`${old} is now called ${name}. Versions before 0.5 still read the old name.`]
  })
}

function isTypo(written: string, setting: string): boolean {
  const most = setting.length >= LONG_NAME ? 2 : 1
  return Math.abs(written.length - setting.length) <= most && editDistance(written, setting) <= most
}

function emptyLine(names: string[]): string[] {
  return names.length === 0 ? [] : [`Empty settings count as not set: ${names.join(', ')}.`]
}

/** Warns about SECRET_KEY, which is never corrected, because stored data depends on its exact text. */
function keyWarnings({ SECRET_KEY: key = '' }: Record<string, string | undefined>): string[] {
  if (key === key.trim() && !QUOTED.test(key)) return []
  return [
    'SECRET_KEY has spaces or quotation marks around it, which are part of the key: every process and backup needs them.',
  ]
}

function unencrypted({ NODE_ENV, PUBLIC_URL }: Record<string, string | undefined>): string[] {
  if (NODE_ENV !== 'production' || !/^http:/i.test(PUBLIC_URL ?? '')) return []
  return [
    `PUBLIC_URL is ${PUBLIC_URL}: without https, passwords and tokens cross the network unencrypted, and passkeys work on localhost alone. Put a proxy with TLS before the service, and set PUBLIC_URL to its https address.`,
  ]
}
