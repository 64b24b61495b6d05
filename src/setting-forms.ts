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

/** As the Standard Webhooks specification recommends: 75.5 hours in all. */
export const RETRY_GAPS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Settings whose values are never shown. */
export const SECRETS = new Set([
  'BOOTSTRAP_TOKEN',
  'SECRET_KEY',
  'DATABASE_URL',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
])
