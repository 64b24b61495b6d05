import { rpcError } from './request-body.ts'

/** Loopback host names. They are safe to allow: after DNS rebinding, a request still has the attacker's host name. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The host names that requests may be sent to, and the origins of web pages that may send them. */
export interface Addresses {
  hosts: string[]
  origins: string[]
  publicUrl: string
}

export function knownAddresses(publicUrl: string, allowedHosts: string[], allowedOrigins: string[]): Addresses {
  const own = new URL(publicUrl)
  return {
    hosts: [own.hostname, ...allowedHosts.map(hostname), ...LOOPBACK],
    origins: [own.origin, ...allowedOrigins],
    publicUrl,
  }
}

/** Returns an error response for an unknown host or origin, or null. Only browsers send `Origin`, so it may be absent. */
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

/** Returns whether a page of this origin may read the server's responses. Loopback origins may, on any port. */
export function allowsOrigin({ origins }: Addresses, origin: string): boolean {
  return origins.includes(origin) || namesHost(origin, LOOPBACK)
}

export function namesHost(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address)
  return url !== null && hosts.includes(url.hostname)
}

/** Returns the host name in a setting, which may be a host, a host with a port, or an origin. */
function hostname(setting: string): string {
  return new URL(setting.includes('://') ? setting : `http://${setting}`).hostname
}
