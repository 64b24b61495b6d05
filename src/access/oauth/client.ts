import { z } from 'zod'
import { OAuthError } from './errors.ts'
import { destinationOf, MAX_REDIRECT_URI, redirectProblem } from './redirect-uri.ts'

/** A program that asks to act for people. */
export interface Client {
  id: string
  /** What it calls itself, fit to be shown. */
  name: string
  /** The domain that vouches for it; null where it has registered itself, so that anybody may use the name. */
  domain: string | null
  redirectUris: string[]
}

const MOST_REDIRECT_URIS = 20
const LONGEST_NAME = 80

/** What is read of the metadata that clients give of themselves (RFC 7591); everything else is ignored. */
const METADATA = z.looseObject({
  client_id: z.string().optional(),
  client_name: z.string().optional(),
  redirect_uris: z
    .array(z.string().max(MAX_REDIRECT_URI))
    .min(1)
    .max(MOST_REDIRECT_URIS, `at most ${MOST_REDIRECT_URIS} addresses`),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

export type ClientMetadata = Pick<z.infer<typeof METADATA>, 'client_id' | 'token_endpoint_auth_method'> &
  Pick<Client, 'name' | 'redirectUris'>

/** Reads what a client says of itself. Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
export function readClientMetadata(given: unknown): ClientMetadata {
  const result = METADATA.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    const field = String(issue!.path[0] ?? 'the metadata')
    throw new OAuthError('invalid_client_metadata', `${field} is invalid: ${issue!.message}.`)
  }
  const { client_id, client_name, redirect_uris, grant_types, response_types } = result.data
  requireSupported('grant_types', grant_types, 'authorization_code')
  requireSupported('response_types', response_types, 'code')
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = redirectProblem(uri)
    if (problem !== null) throw new OAuthError('invalid_redirect_uri', `redirect_uris[${index}] ${problem}.`)
  }
  const name = shownName(client_name ?? '') || destinationOf(redirect_uris[0]!).name
  return {
    client_id,
    token_endpoint_auth_method: result.data.token_endpoint_auth_method,
    name,
    redirectUris: redirect_uris,
  }
}

function requireSupported(field: string, given: string[] | undefined, needed: string): void {
  if (given !== undefined && !given.includes(needed))
    throw new OAuthError('invalid_client_metadata', `${field} must include ${needed}.`)
}

/** Without characters that cannot be seen or that turn the direction of the words around them. */
function shownName(given: string): string {
  const visible = given.slice(0, 4 * LONGEST_NAME).replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return [...visible.trim()].slice(0, LONGEST_NAME).join('')
}
