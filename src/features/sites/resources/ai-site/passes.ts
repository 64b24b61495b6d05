import { newId } from '../../../../contract/values/ids.ts'
import type { Scope } from '../../../../database/database.ts'
import type { Vault } from '../../../../records/services.ts'
import { hashOfSecret, newLinkToken } from '../../../../resources/company/user/password-link.ts'
import type { Tables } from '../../../../resources/tables.ts'

const PASS_MS = 60_000

/** A site and one of its host names, without spaces. */
export interface SitePlace {
  site: string
  host: string
}

interface PassParts {
  database: Scope<Tables>
  vault: Vault
  place: SitePlace
}

/** Creates a pass that lets a person into a site at one of its hosts, once and within a minute. */
export async function makePass({ database, vault, place }: PassParts, userId: string): Promise<string> {
  const pass = newLinkToken()
  const identifier = stored(vault, place, pass)
  const now = Date.now()
  const created = new Date(now).toISOString()
  const row = {
    id: newId('verif'),
    identifier,
    value: userId,
    expires_at: new Date(now + PASS_MS).toISOString(),
    created_at: created,
    updated_at: created,
  }
  await database.transaction(({ db }) => db.insertInto('verifications').values(row).execute())
  return pass
}

/** Uses up a pass. Returns the user id, or null if the pass is wrong, used, expired or for another host. */
export async function takePass({ database, vault, place }: PassParts, pass: string): Promise<string | null> {
  const identifier = stored(vault, place, pass)
  // Looks the pass up before the transaction, so that guesses do not use the writer lock.
  const known = database.read.selectFrom('verifications').select('id').where('identifier', '=', identifier)
  if (!(await known.executeTakeFirst())) return null
  const taken = await database.transaction(({ db }) =>
    db
      .deleteFrom('verifications')
      .where('identifier', '=', identifier)
      .returning(['value', 'expires_at'])
      .executeTakeFirst(),
  )
  return taken && taken.expires_at > new Date().toISOString() ? taken.value : null
}

/** Returns the keyed hash that is stored in place of the pass. */
function stored(vault: Vault, { site, host }: SitePlace, pass: string): string {
  return hashOfSecret(vault, `site-pass ${site} ${host}:${pass}`)
}
