/** The URLs of the OAuth server, which clients discover through its metadata. */
export interface ConnectAddresses {
  /** The MCP endpoint that accepts OAuth access tokens. It is the audience of all of them. */
  resource: string
  /** The authorization server. The path of its metadata begins with this path. */
  issuer: string
  authorize: string
  token: string
  register: string
  revoke: string
  /** The address of the metadata of `resource`. */
  resourceMetadata: string
}

/** Returns the OAuth addresses of a service. `publicUrl` has no trailing slash. */
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

/** Returns the paths of the metadata of the resource (RFC 9728, section 3.1) and of the authorization server. */
export function metadataPaths({ resource, issuer }: ConnectAddresses): { resource: string[]; server: string[] } {
  const path = new URL(issuer).pathname
  return {
    resource: [new URL(wellKnown('oauth-protected-resource', resource)).pathname],
    // The path of RFC 8414, section 3.1, is the first one. Clients that only know OpenID Connect try the others.
    server: [
      new URL(wellKnown('oauth-authorization-server', issuer)).pathname,
      new URL(wellKnown('openid-configuration', issuer)).pathname,
      `${path}/.well-known/openid-configuration`,
      `${path}/.well-known/oauth-authorization-server`,
    ],
  }
}

/** Returns the metadata path of an address: the well-known part stands between the host and the path. */
function wellKnown(name: string, address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname}`
}
