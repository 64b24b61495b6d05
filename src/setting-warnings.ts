import { settingMeanings } from './config.ts'
import { editDistance } from './contract/values/nearest.ts'

/** Shorter names, such as `PORT`, are near to too much that is not ours. */
const SHORTEST = 8
/** From this length on, two slips may be a misspelling; below, one. */
const LONG = 10

/**
 * Sentences about settings that are probably mistakes and with which the service works all the same. Variables that are not
 * settings are nobody's business here, unless they are a slip away from a setting that is not set.
 */
export function settingWarnings(environment: Record<string, string | undefined>): string[] {
  const names = settingMeanings().map(({ name }) => name)
  const given = Object.keys(environment).filter((name) => environment[name])
  const known = new Set(names)
  const missing = names.filter((name) => !environment[name] && name.length >= SHORTEST)
  const misspelt = given
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const meant = missing.find((setting) => isSlip(name.toUpperCase(), setting))
      return meant ? [`${name} is not a setting, and it changes nothing. Did you mean ${meant}?`] : []
    })
  return [...misspelt, ...unencrypted(environment)]
}

function isSlip(written: string, setting: string): boolean {
  const most = setting.length >= LONG ? 2 : 1
  return Math.abs(written.length - setting.length) <= most && editDistance(written, setting) <= most
}

function unencrypted({ NODE_ENV, PUBLIC_URL }: Record<string, string | undefined>): string[] {
  if (NODE_ENV !== 'production' || !/^http:/i.test(PUBLIC_URL ?? '')) return []
  return [
    `PUBLIC_URL is ${PUBLIC_URL}: without https, passwords and tokens cross the network unencrypted, and passkeys work on localhost alone. Put a proxy with TLS before the service, and set PUBLIC_URL to its https address.`,
  ]
}
