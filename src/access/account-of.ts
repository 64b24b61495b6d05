import type { Kysely } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { Tables } from '../resources/tables.ts'

type Db = Kysely<Tables>
type Found = Promise<{ account_id: string }[]>

/** What buyers reach by an address that names no account, by its table. */
const FINDERS = {
  checkouts: compileOnce((db: Db, id: string) => db.selectFrom('checkouts').select('account_id').where('id', '=', id)),
  checkout_links: compileOnce((db: Db, id: string) =>
    db.selectFrom('checkout_links').select('account_id').where('id', '=', id),
  ),
  invoices: compileOnce((db: Db, id: string) => db.selectFrom('invoices').select('account_id').where('id', '=', id)),
  price_variants: compileOnce((db: Db, id: string) =>
    db.selectFrom('price_variants').select('account_id').where('id', '=', id),
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
