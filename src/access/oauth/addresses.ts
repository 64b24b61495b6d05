/** The addresses that OAuth clients discover. */
export interface ConnectAddresses {
  /** The MCP endpoint for access tokens, and the audience of all of them. */
  resource: string
  /** The authorization server; its metadata is below this path. */
  issuer: string
  authorize: string
  token: string
  register: string
  revoke: string
  /** The address of the resource's metadata. */
  resourceMetadata: string
}

/** `publicUrl` has no trailing slash. */
export function connectAddresses(publicUrl: string): ConnectAddresses {
  const resource = `${publicUrl}/connect`
  return {
    resource,
    issuer: resource,
    authorize: `${resource}/authorize`,
    token: `${resource}/token`,
    register: `${resource}/register`,
    revoke: `${resource}/revoke`,
    resourceMetadata: wellKnown('oauth-protected-resource', resource),
  }
}

/** Returns the paths of the resource's metadata (RFC 9728, section 3.1) and of the authorization server's. */
export function metadataPaths({ resource, issuer }: ConnectAddresses): { resource: string[]; server: string[] } {
  const path = new URL(issuer).pathname
  return {
    resource: [new URL(wellKnown('oauth-protected-resource', resource)).pathname],
    // RFC 8414, section 3.1, comes first; clients that only know OpenID Connect try the others.
    server: [
      new URL(wellKnown('oauth-authorization-server', issuer)).pathname,
      new URL(wellKnown('openid-configuration', issuer)).pathname,
      `${path}/.well-known/openid-configuration`,
      `${path}/.well-known/oauth-authorization-server`,
    ],
  }
}

/** The well-known part is inserted between host and path. */
function wellKnown(name: string, address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname}`
}
