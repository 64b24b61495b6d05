import { TOKEN_RIGHTS } from '../../contract/declarations/caller.ts'
import type { ConnectAddresses } from './addresses.ts'

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
