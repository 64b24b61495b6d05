import type { Kysely } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { Tables } from '../resources/tables.ts'

type Db = Kysely<Tables>
type Found = Promise<{ account_id: string }[]>

/** What people reach by an address that names no account, by its table. */
const FINDERS = {
  account_exports: compileOnce((db: Db, id: string) =>
    db.selectFrom('account_exports').select('account_id').where('id', '=', id),
  ),
  customers: compileOnce((db: Db, id: string) => db.selectFrom('customers').select('account_id').where('id', '=', id)),
  checkouts: compileOnce((db: Db, id: string) => db.selectFrom('checkouts').select('account_id').where('id', '=', id)),
  checkout_links: compileOnce((db: Db, id: string) =>
    db.selectFrom('checkout_links').select('account_id').where('id', '=', id),
  ),
  event_sources: compileOnce((db: Db, id: string) =>
    db.selectFrom('event_sources').select('account_id').where('id', '=', id),
  ),
  files: compileOnce((db: Db, id: string) => db.selectFrom('files').select('account_id').where('id', '=', id)),
  forms: compileOnce((db: Db, id: string) => db.selectFrom('forms').select('account_id').where('id', '=', id)),
  form_submissions: compileOnce((db: Db, id: string) =>
    db.selectFrom('form_submissions').select('account_id').where('id', '=', id),
  ),
  invitations: compileOnce((db: Db, id: string) =>
    db.selectFrom('invitations').select('account_id').where('id', '=', id),
  ),
  invoices: compileOnce((db: Db, id: string) => db.selectFrom('invoices').select('account_id').where('id', '=', id)),
  price_variants: compileOnce((db: Db, id: string) =>
    db.selectFrom('price_variants').select('account_id').where('id', '=', id),
  ),
  formation_documents: compileOnce((db: Db, id: string) =>
    db.selectFrom('formation_documents').select('account_id').where('id', '=', id),
  ),
  social_accounts: compileOnce((db: Db, id: string) =>
    db.selectFrom('social_accounts').select('account_id').where('id', '=', id),
  ),
  social_deliveries: compileOnce((db: Db, id: string) =>
    db.selectFrom('social_deliveries').select('account_id').where('id', '=', id),
  ),
} satisfies Record<string, (db: Db, id: string) => Found>

const beingDeleted = compileOnce((db: Db, id: string) =>
  db.selectFrom('account_deletions').select('id').where('id', '=', id),
)

/** What any id looks like; nothing else is worth a query. */
const ID = /^[a-z]+_[0-9a-z]{1,40}$/

/** The account whose it is, or null when there is none of the id or the account is being deleted. */
export async function accountOf(db: Db, table: keyof typeof FINDERS, id: string): Promise<string | null> {
  if (!ID.test(id)) return null
  const [found] = await FINDERS[table](db, id)
  if (!found) return null
  const [deletion] = await beingDeleted(db, found.account_id)
  return deletion ? null : found.account_id
}

const bySubdomain = compileOnce((db: Db, subdomain: string) =>
  db.selectFrom('accounts').select('id').where('subdomain', '=', subdomain),
)

/** The account that has a subdomain, or null when there is none or it is being deleted. */
export async function accountNamed(db: Db, subdomain: string): Promise<string | null> {
  const [found] = await bySubdomain(db, subdomain)
  if (!found) return null
  const [deletion] = await beingDeleted(db, found.id)
  return deletion ? null : found.id
}
