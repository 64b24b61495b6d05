/** Where clients that connect with an address alone find everything. */
export interface ConnectAddresses {
  /** The agent-tool endpoint that takes access tokens: the audience of every one of them. */
  resource: string
  /** The authorization server, whose metadata is below this path and nowhere else. */
  issuer: string
  authorize: string
  token: string
  register: string
  revoke: string
  /** Of the resource's own metadata. */
  resourceMetadata: string
}

/** `publicUrl` has no slash at its end. */
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

/** The paths of the resource's metadata (RFC 9728, section 3.1), and those of the authorization server. */
export function metadataPaths({ resource, issuer }: ConnectAddresses): { resource: string[]; server: string[] } {
  const path = new URL(issuer).pathname
  return {
    resource: [new URL(wellKnown('oauth-protected-resource', resource)).pathname],
    // RFC 8414, section 3.1, comes first; clients that know OpenID Connect alone try the others.
    server: [
      new URL(wellKnown('oauth-authorization-server', issuer)).pathname,
      new URL(wellKnown('openid-configuration', issuer)).pathname,
      `${path}/.well-known/openid-configuration`,
      `${path}/.well-known/oauth-authorization-server`,
    ],
  }
}

/** The well-known part goes between host and path. */
function wellKnown(name: string, address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname}`
}
