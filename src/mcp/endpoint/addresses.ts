import { rpcError } from './request-body.ts'

/** A request that names these cannot come from a page of another site (DNS rebinding). */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Host names that requests may be addressed to, and origins of the pages that may send them. */
export interface Addresses {
  hosts: string[]
  origins: string[]
  publicUrl: string
}

/** The addresses from the settings: the public one, those listed, and this machine itself. */
export function knownAddresses(publicUrl: string, allowedHosts: string[], allowedOrigins: string[]): Addresses {
  const own = new URL(publicUrl)
  return {
    hosts: [own.hostname, ...allowedHosts.map(hostname), ...LOOPBACK],
    origins: [own.origin, ...allowedOrigins],
    publicUrl,
  }
}

/** The refusal of a request from elsewhere, or null. An absent `Origin` is fine: only browsers send it. */
export function refuseForeign(request: Request, addresses: Addresses): Response | null {
  const { hosts, publicUrl } = addresses
  const host = request.headers.get('host') ?? new URL(request.url).host
  const origin = request.headers.get('origin')
  if (!namesHost(`http://${host}`, hosts)) {
    const message = `${host} is not a host name of this server. Add it to ALLOWED_HOSTS, or change PUBLIC_URL (${publicUrl}).`
    return rpcError(403, -32000, message)
  }
  if (origin !== null && !allowsOrigin(addresses, origin)) {
    return rpcError(
      403,
      -32000,
      `Pages from ${origin} are not allowed to call this server. Add the origin to ALLOWED_ORIGINS.`,
    )
  }
  return null
}

/** Whether a page of this origin may call the server and read its answers. Pages of this machine may, on any port. */
export function allowsOrigin({ origins }: Addresses, origin: string): boolean {
  return origins.includes(origin) || namesHost(origin, LOOPBACK)
}

/** Whether an address is of one of these hosts, on any port. */
export function namesHost(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address)
  return url !== null && hosts.includes(url.hostname)
}

/** A setting may be a host, a host with a port, or a whole origin. */
function hostname(setting: string): string {
  return new URL(setting.includes('://') ? setting : `http://${setting}`).hostname
}
