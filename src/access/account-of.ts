import { type Selectable, type SqlBool, sql } from 'kysely'
import { compileOnce } from '../database/compile-once.ts'
import type { Db, Tables } from '../resources/tables.ts'

/** The tables with rows that have an account and an id. */
type AddressedTable = {
  [Table in keyof Tables]: Tables[Table] extends { account_id: string; id: string } ? Table : never
}[keyof Tables]

/** Makes PostgreSQL use the partial indexes on `id`, which have the same condition. */
const USES_ID_INDEX = sql<SqlBool>`length(id) > 0`

const finders = new Map<AddressedTable, ReturnType<typeof finderOf>>()

function finderOf(table: AddressedTable) {
  return compileOnce((db: Db, id: string) =>
    db.selectFrom(table).select('account_id').where('id', '=', id).where(USES_ID_INDEX).where(notBeingDeleted(table)),
  )
}

function notBeingDeleted(table: AddressedTable) {
  const account = sql.ref(`${table}.account_id`)
  return sql<boolean>`not exists (select 1 from account_deletions where account_deletions.id = ${account})`
}

const checkoutById = compileOnce((db: Db, id: string) =>
  db.selectFrom('checkouts').selectAll().where('id', '=', id).where(USES_ID_INDEX).where(notBeingDeleted('checkouts')),
)

const beingDeleted = compileOnce((db: Db, id: string) =>
  db.selectFrom('account_deletions').select('id').where('id', '=', id),
)

/** Matches the form of all ids. Other text is rejected without a query. */
const ID = /^[a-z]+_[0-9a-z]{1,40}$/

/** Returns the account id of a row, or null if there is no such row or its account is being deleted. */
export async function accountOf(db: Db, table: AddressedTable, id: string): Promise<string | null> {
  if (!ID.test(id)) return null
  const find = finders.get(table) ?? finderOf(table)
  finders.set(table, find)
  const [found] = await find(db, id)
  return found?.account_id ?? null
}

/** Returns a checkout by its id, or null if there is no such checkout or its account is being deleted. */
export async function storedCheckout(db: Db, id: string): Promise<Selectable<Tables['checkouts']> | null> {
  const [found] = ID.test(id) ? await checkoutById(db, id) : []
  return found ?? null
}

const byDomain = compileOnce((db: Db, domain: string) =>
  db.selectFrom('accounts').select(['id', 'subdomain']).where('verified_storefront_domain', '=', domain),
)

/** Returns the id and subdomain of the account with a custom domain; null if there is none or it is being deleted. */
export async function accountAt(db: Db, domain: string): Promise<{ id: string; subdomain: string } | null> {
  const [found] = await byDomain(db, domain)
  if (!found) return null
  const [deletion] = await beingDeleted(db, found.id)
  return deletion ? null : found
}

const domainBySubdomain = compileOnce((db: Db, subdomain: string) =>
  db.selectFrom('accounts').select('verified_storefront_domain').where('subdomain', '=', subdomain),
)

/** Returns the custom domain of the shop with this subdomain; null if the shop has none. */
export async function domainNamed(db: Db, subdomain: string): Promise<string | null> {
  const [found] = await domainBySubdomain(db, subdomain)
  return found?.verified_storefront_domain ?? null
}

const bySubdomain = compileOnce((db: Db, subdomain: string) =>
  db.selectFrom('accounts').select('id').where('subdomain', '=', subdomain),
)

/** Returns the id of the account with a subdomain; null if there is none or it is being deleted. */
export async function accountNamed(db: Db, subdomain: string): Promise<string | null> {
  const [found] = await bySubdomain(db, subdomain)
  if (!found) return null
  const [deletion] = await beingDeleted(db, found.id)
  return deletion ? null : found.id
}

export async function platformConnection(
  db: Db,
  provider: string,
  providerAccount: string,
): Promise<Pick<Tables['payment_connections'], 'account_id' | 'id'> | undefined> {
  return db
    .selectFrom('payment_connections')
    .select(['account_id', 'id'])
    .where('provider_account', '=', providerAccount)
    .where('provider', '=', provider)
    .where('access', '=', 'platform')
    .where('status', '!=', 'deleted')
    .executeTakeFirst()
}
