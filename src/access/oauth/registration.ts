import { newId } from '../../contract/values/ids.ts'
import { timestampOf } from '../../contract/values/values.ts'
import type { Scope, Unit } from '../../database/database.ts'
import type { Tables } from '../../resources/tables.ts'
import { type Client, readClientMetadata } from './client.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a client is known that nobody has allowed anything yet. */
const UNUSED_MS = 7 * DAY_MS
/** How long a client is known after somebody allowed it something, or after it last renewed that. */
const USED_MS = 180 * DAY_MS
/** Unused clients that are kept; a further one takes the place of the oldest. */
const MOST_UNUSED = 10_000
const REMOVED_AT_ONCE = 100

const ID = /^client_[0-9a-z]{26}$/

/** Registers a client (RFC 7591) and gives the answer. Throws OAuthError. */
export async function registerClient(database: Scope<Tables>, given: unknown): Promise<object> {
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

async function removeBeyond(db: Unit<Tables>['db']): Promise<void> {
  const unused = db.selectFrom('oauth_clients').select('id').where('used', '=', 0).orderBy('id', 'desc')
  const beyond = unused.offset(MOST_UNUSED - 1).limit(REMOVED_AT_ONCE)
  await db.deleteFrom('oauth_clients').where('id', 'in', beyond).execute()
}

/** A client that has registered itself, or null when there is none of the id any more. */
export async function registeredClient({ read }: Scope<Tables>, id: string): Promise<Client | null> {
  if (!ID.test(id)) return null
  const row = await read
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', timestampOf(new Date()))
    .executeTakeFirst()
  return row ? { id, name: row.name, domain: null, redirectUris: JSON.parse(row.redirect_uris) as string[] } : null
}

/** Keeps a client whose connection was made or renewed. One that is known by its document has no row. */
export async function keepClient(db: Unit<Tables>['db'], id: string): Promise<void> {
  const expires_at = timestampOf(new Date(Date.now() + USED_MS))
  await db.updateTable('oauth_clients').set({ used: 1, expires_at }).where('id', '=', id).execute()
}
