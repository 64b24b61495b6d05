import { laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { Credentials } from '../../providers/provider.ts'

const PURPOSE = 'social apps'
/** The time after which a new app is registered at a server, because servers delete unused apps. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** The maximum number of servers per shop. A further app replaces the one that was registered first. */
const MOST_SERVERS = 50
const MAX_SERVER = 300

/** Returns the app that this shop registered at a server, or null. */
export async function findApp(context: Context, server: string): Promise<Credentials | null> {
  const found = await rowsOf(context, 'social_apps')
    .select('sealed')
    .where('server', '=', server)
    .where('expires_at', '>', context.realNow)
    .executeTakeFirst()
  return found ? JSON.parse(context.services.vault.open(PURPOSE, found.sealed)) : null
}

/** Stores the app that was registered at a server and replaces an earlier one. */
export async function keepApp(context: Context, server: string, app: Credentials): Promise<void> {
  if (server.length > MAX_SERVER) return
  const older = await rowsOf(context, 'social_apps')
    .select('server')
    .orderBy('expires_at', 'desc')
    .offset(MOST_SERVERS - 1)
    .limit(MOST_SERVERS)
    .execute()
  for (const one of [...older.map((row) => row.server), server])
    await deleteRowsOf(context, 'social_apps').where('server', '=', one).execute()
  const sealed = context.services.vault.seal(PURPOSE, JSON.stringify(app))
  const { accountId: account_id, realNow } = context
  await context.db
    .insertInto('social_apps')
    .values({ account_id, server, sealed, expires_at: laterBy(realNow, KEPT_MS) })
    .execute()
}
