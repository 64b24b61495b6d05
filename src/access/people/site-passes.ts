import { newId } from '../../contract/values/ids.ts'
import type { Scope } from '../../database/database.ts'
import type { Vault } from '../../records/services.ts'
import { hashOfSecret, newLinkToken } from '../../resources/company/user/password_link.ts'
import type { Tables } from '../../resources/tables.ts'

const PASS_MS = 60_000

/** Which site, at which of its hosts. Neither holds a blank. */
export interface SitePlace {
  site: string
  host: string
}

interface PassParts {
  database: Scope<Tables>
  vault: Vault
  place: SitePlace
}

/** Lets a person in at one host of a site, once and within a minute. */
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

/** Whom a pass is for; null for one that is wrong, used, too old or for another host. */
export async function takePass({ database, vault, place }: PassParts, pass: string): Promise<string | null> {
  const identifier = stored(vault, place, pass)
  const taken = await database.transaction(({ db }) =>
    db
      .deleteFrom('verifications')
      .where('identifier', '=', identifier)
      .returning(['value', 'expires_at'])
      .executeTakeFirst(),
  )
  return taken && taken.expires_at > new Date().toISOString() ? taken.value : null
}

/** What is stored of a pass: a keyed hash. */
function stored(vault: Vault, { site, host }: SitePlace, pass: string): string {
  return hashOfSecret(vault, `site-pass ${site} ${host}:${pass}`)
}
