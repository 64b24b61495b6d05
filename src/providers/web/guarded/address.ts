import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The public internet, this machine, or a network that no request may enter. */
export type Reach = 'public' | 'loopback' | 'closed'

/** The non-public ranges of the IANA special-purpose registry (RFC 6890), and addresses at which clouds serve credentials. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's metadata service has an address in the public range.
  '168.63.129.16/32',
]

/** The only range of IPv6 that is routed on the internet, and its parts that are not routed or tunnel to IPv4. */
const GLOBAL_IPV6 = '2000::/3'
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const closedIPv4 = blockList('ipv4', CLOSED_IPV4)
const loopbackIPv4 = blockList('ipv4', ['127.0.0.0/8'])
const closedIPv6 = blockList('ipv6', CLOSED_IPV6)
const globalIPv6 = blockList('ipv6', [GLOBAL_IPV6])

/** Classifies an address in the spelling of the system's resolver or the URL parser. */
export function reachOf(address: string): Reach {
  if (isIPv4(address)) return reachOfIPv4(address)
  // An IPv6 address with a zone, such as `fe80::1%eth0`, belongs to a network interface of this machine.
  if (address.includes('%') || !isIPv6(address)) return 'closed'
  const groups = groupsOf(address)
  const embedded = embeddedIPv4(groups)
  if (embedded !== null) return reachOfIPv4(embedded)
  if (groups.every((group, index) => group === (index === 7 ? 1 : 0))) return 'loopback'
  return globalIPv6.check(address, 'ipv6') && !closedIPv6.check(address, 'ipv6') ? 'public' : 'closed'
}

function reachOfIPv4(address: string): Reach {
  if (loopbackIPv4.check(address)) return 'loopback'
  return closedIPv4.check(address) ? 'closed' : 'public'
}

function groupsOf(address: string): number[] {
  // The URL parser turns every spelling of an address into the same one.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) => Number.parseInt(group, 16))
}

/** Returns the IPv4 address of a mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96) address. */
function embeddedIPv4(groups: number[]): string | null {
  const isMapped = startsWith(groups, [0, 0, 0, 0, 0, 0xffff])
  const isNat64 = startsWith(groups, [0x64, 0xff9b, 0, 0, 0, 0])
  if (!isMapped && !isNat64) return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function startsWith(groups: number[], prefix: number[]): boolean {
  return prefix.every((group, index) => groups[index] === group)
}

function blockList(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network, bits] = subnet.split('/') as [string, string]
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
