import { z } from 'zod'
import { newId } from '../../contract/values/ids.ts'
import { DAY_MS, timestampOf } from '../../contract/values/values.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { OAuthError } from './errors.ts'
import { destinationOf, MAX_REDIRECT_URI, redirectProblem } from './redirect-uri.ts'

/** How long a client without access to any account is kept. */
const UNUSED_MS = 7 * DAY_MS
/** How long a client is kept after a person has given it access or it has renewed its tokens. */
export const USED_MS = 180 * DAY_MS
/** The maximum number of clients without access to an account. Another one replaces the oldest. */
const MOST_UNUSED = 10_000
const REMOVED_AT_ONCE = 100

const ID = /^client_[0-9a-z]{26}$/

export interface Client {
  id: string
  name: string
  /** The verified domain of the client; null for a self-registered client, which can claim any name. */
  domain: string | null
  redirectUris: string[]
}

const MOST_REDIRECT_URIS = 20
const LONGEST_NAME = 80

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

/** Parses the metadata of a client. Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
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

/** Removes invisible characters, and characters that change the direction of text. */
function shownName(given: string): string {
  const visible = given.slice(0, 4 * LONGEST_NAME).replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
  return [...visible.trim()].slice(0, LONGEST_NAME).join('')
}

/** Registers a client (RFC 7591). Returns the response body. Throws OAuthError. */
export async function registerClient(database: ShopScope, given: unknown) {
  const { name, redirectUris } = readClientMetadata(given)
  const now = Date.now()
  const id = newId('client')
  const row = {
    id,
    name,
    redirect_uris: JSON.stringify(redirectUris),
    used: 0,
    created_at: timestampOf(new Date(now)),
    expires_at: timestampOf(new Date(now + UNUSED_MS)),
  }
  await database.transaction(async ({ db }) => {
    await removeBeyond(db)
    await db.insertInto('oauth_clients').values(row).execute()
  })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

async function removeBeyond(db: Db): Promise<void> {
  const unused = db.selectFrom('oauth_clients').select('id').where('used', '=', 0).orderBy('id', 'desc')
  const beyond = unused.offset(MOST_UNUSED - 1).limit(REMOVED_AT_ONCE)
  await db.deleteFrom('oauth_clients').where('id', 'in', beyond).execute()
}

/** Returns a self-registered client by its id; null if it is unknown or has expired. */
export async function registeredClient({ read }: ShopScope, id: string): Promise<Client | null> {
  if (!ID.test(id)) return null
  const row = await read
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', timestampOf(new Date()))
    .executeTakeFirst()
  return row ? { id, name: row.name, domain: null, redirectUris: JSON.parse(row.redirect_uris) as string[] } : null
}
