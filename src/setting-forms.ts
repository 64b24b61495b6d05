import { isIP } from 'node:net'

/** A week, in seconds. */
export const LONGEST_GAP = 604_800

/** Scheme, host and port alone; one slash at the end does no harm. */
export function isOrigin(given: string): boolean {
  if (!/^https?:\/\/[^\s/?#@\\]+\/?$/i.test(given) || !URL.canParse(given)) return false
  return /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/.test(new URL(given).hostname)
}

/** As Node's resolver takes it: an address, or `address:port`, with IPv6 in brackets before a port. */
export function isNameServer(given: string): boolean {
  const [, address = given, port = '53'] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(given) ?? []
  return isIP(given) !== 0 || (isIP(address) !== 0 && Number(port) <= 65_535)
}
