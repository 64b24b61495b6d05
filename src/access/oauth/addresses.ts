import { TOKEN_RIGHTS } from '../../contract/declarations/caller.ts'

export interface ConnectAddresses {
  /** The URL of the MCP endpoint, which is the audience of all OAuth access tokens. */
  resource: string
  issuer: string
  authorize: string
  token: string
  register: string
  revoke: string
  resourceMetadata: string
}

/** Returns the OAuth URLs of a service. `publicUrl` has no trailing slash. */
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
    // The first path is that of RFC 8414, section 3.1. The others are for clients that only know OpenID Connect.
    server: [
      new URL(wellKnown('oauth-authorization-server', issuer)).pathname,
      new URL(wellKnown('openid-configuration', issuer)).pathname,
      `${path}/.well-known/openid-configuration`,
      `${path}/.well-known/oauth-authorization-server`,
    ],
  }
}

/** The well-known part of a metadata path is between the host and the path of the URL. */
function wellKnown(name: string, address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}/.well-known/${name}${pathname}`
}

/** The metadata that clients read first. It names the authorization server of the MCP endpoint (RFC 9728). */
export function resourceMetadata({ resource, issuer }: ConnectAddresses): object {
  return {
    resource,
    resource_name: 'Shopwright',
    authorization_servers: [issuer],
    scopes_supported: TOKEN_RIGHTS,
    bearer_methods_supported: ['header'],
  }
}

/** The metadata of the authorization server (RFC 8414). Clients have no secret, so PKCE is required. */
export function serverMetadata(addresses: ConnectAddresses, clientDocuments: boolean): object {
  return {
    issuer: addresses.issuer,
    authorization_endpoint: addresses.authorize,
    token_endpoint: addresses.token,
    registration_endpoint: addresses.register,
    revocation_endpoint: addresses.revoke,
    scopes_supported: TOKEN_RIGHTS,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clientDocuments,
    protected_resources: [addresses.resource],
  }
}
