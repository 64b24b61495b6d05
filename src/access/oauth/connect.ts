import type { TokenRight } from '../../contract/declarations/caller.ts'
import type { Database } from '../../database/database.ts'
import type { WebClient } from '../../outside/web/client.ts'
import type { Tables } from '../../resources/tables.ts'
import { Authenticator } from '../authenticate.ts'
import { accessTokens } from './access-tokens.ts'
import { type ConnectAddresses, connectAddresses } from './addresses.ts'
import {
  type AuthorizationRequest,
  readAuthorization,
  refusalOf,
  required,
  requireResource,
  returnAddress,
} from './authorization.ts'
import type { Client } from './client.ts'
import { ClientDocuments } from './client-documents.ts'
import { issueCode, redeemCode } from './codes.ts'
import { OAuthError } from './errors.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { destinationOf } from './redirect-uri.ts'
import { registerClient, registeredClient } from './registration.ts'
import { refreshTokens, revokeToken, type TokenAnswer } from './tokens.ts'

interface ConnectParts {
  database: Database<Tables>
  secret: string
  /** Where clients keep their documents. */
  web: WebClient
  /** Without a slash at its end. */
  publicUrl: string
  /** Whether clients may be known by a document of theirs. */
  clientDocuments: boolean
}

/** What a person has chosen on the page of consent. */
export interface Choice {
  accountId: string
  right: TokenRight
}

/** The authorization server: it knows clients, asks nobody itself, and gives and takes back tokens. */
export class Connect {
  readonly addresses: ConnectAddresses
  /** Who sends an access token to `/connect`. */
  readonly authenticator: Authenticator
  /** The documents that clients find everything by. */
  readonly metadata: { resource: object; server: object }
  readonly #parts: ConnectParts
  readonly #documents: ClientDocuments

  constructor(parts: ConnectParts) {
    this.#parts = parts
    this.#documents = new ClientDocuments(parts.web)
    this.addresses = connectAddresses(parts.publicUrl)
    this.authenticator = new Authenticator(parts.database, parts.secret, accessTokens(this.addresses))
    this.metadata = {
      resource: resourceMetadata(this.addresses),
      server: serverMetadata(this.addresses, parts.clientDocuments),
    }
  }

  /** Registers a client (RFC 7591). Throws OAuthError. */
  register(given: unknown): Promise<object> {
    return registerClient(this.#parts.database, given)
  }

  /** Reads what a client asks for. Throws OAuthError, or RedirectedError. */
  readRequest(parameters: URLSearchParams): Promise<AuthorizationRequest> {
    return readAuthorization(parameters, this.addresses, (id) => this.#client(id))
  }

  /** Where the browser goes when the person has allowed it. */
  async allow(
    request: AuthorizationRequest,
    person: { userId: string; email: string },
    { accountId, right }: Choice,
  ): Promise<string> {
    const { id, name, domain } = request.client
    const { redirectUri, challenge } = request
    const code = await issueCode(this.#parts.database, this.#parts.secret, accountId, {
      userId: person.userId,
      email: person.email,
      right,
      client: { id, name, domain },
      returnsTo: destinationOf(redirectUri).name,
      redirectUri,
      challenge,
    })
    return returnAddress(request, this.addresses, { code })
  }

  /** Where the browser goes when the person has not. */
  deny(request: AuthorizationRequest): string {
    const error = new OAuthError('access_denied', 'The person denied access.')
    return refusalOf(request, this.addresses, error).location
  }

  /** Answers the token endpoint. Throws OAuthError. */
  async exchange(form: URLSearchParams): Promise<TokenAnswer> {
    const { database, secret } = this.#parts
    const grant = required(form, 'grant_type')
    if (grant !== 'authorization_code' && grant !== 'refresh_token')
      throw new OAuthError('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
    const clientId = await this.#knownClientId(form)
    requireResource(form.getAll('resource'), this.addresses)
    if (grant === 'refresh_token')
      return refreshTokens(database, secret, { clientId, token: required(form, 'refresh_token') })
    const [code, verifier] = [required(form, 'code'), required(form, 'code_verifier')]
    if (!/^[\w.~-]{43,128}$/.test(verifier))
      throw new OAuthError('invalid_request', 'code_verifier must have 43 to 128 letters, digits, and - . _ ~')
    return redeemCode(database, secret, { code, clientId, verifier, redirectUri: form.get('redirect_uri') })
  }

  /** Answers the revocation endpoint (RFC 7009). Throws OAuthError. */
  async revoke(form: URLSearchParams): Promise<void> {
    const [token, clientId] = [required(form, 'token'), required(form, 'client_id')]
    await revokeToken(this.#parts.database, this.#parts.secret, { token, clientId })
  }

  async #client(id: string): Promise<Client> {
    if (this.#documents.isAddress(id) && this.#parts.clientDocuments) return this.#documents.find(id)
    const client = await registeredClient(this.#parts.database, id)
    if (client) return client
    throw unknownClient()
  }

  /** A client that was forgotten registers again when it is told so. Documents are not fetched for this. */
  async #knownClientId(form: URLSearchParams): Promise<string> {
    const id = required(form, 'client_id')
    if (this.#documents.isAddress(id) || (await registeredClient(this.#parts.database, id))) return id
    throw unknownClient()
  }
}

function unknownClient(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'The client is unknown: it never registered, or has not been used for a long time.',
  )
}
