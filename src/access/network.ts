import { isIPv4, isIPv6 } from 'node:net'

/** The maximum length of an invalid address. Proxies may pass on any text. */
const LONGEST_TEXT = 64

/** Returns a client's normalized IPv4 address, or its /64 network of IPv6, because one subscriber has all addresses of such a network. */
export function networkOf(given: string): string {
  const address = withoutPort(given)
  if (!address.includes(':')) return address.slice(0, LONGEST_TEXT)
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address.slice(0, LONGEST_TEXT)
  // The URL parser normalizes the address, but it does not accept zones such as `%eth0`.
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const groups = [
    ...before,
    ...Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0'),
    ...after,
  ]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Some proxies pass on an address with its port: `10.0.0.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(given: string): string {
  return /^([\d.]+):\d+$/.exec(given)?.[1] ?? /^\[(.*)\](?::\d+)?$/.exec(given)?.[1] ?? given
}
