import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { timestampOf } from '../../src/contract/values/values.ts'
import { accountTables } from '../../src/database/account-tables.ts'
import type { Scope } from '../../src/database/database.ts'
import { deleteAccount, finishDeletions } from '../../src/resources/company/account/life/delete.ts'
import { findAccount } from '../../src/resources/company/account/life/list.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { openAccount } from '../../src/resources/company/account/life/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { SECRET_KEY } from '../support/app.ts'
import { fillEveryTable } from '../support/every-table.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { stock } from '../support/stock.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let made = 0

describe('Deleting an account', () => {
  onEachEngine((shop) => {
    let doomed: Shop
    let subdomain: string

    beforeEach(async () => {
      subdomain = `doomed-${++made}`
      doomed = shop.as(await shop.running.another(subdomain, { test: true }))
    })

    const database = () => shop.running.app.database
    const remove = async () => (await deleteAccount(database(), doomed.accountId)).deleted

    /** The tables that have rows of an account, by the schema as the query builder reads it. */
    async function tablesWith(accountId: string): Promise<string[]> {
      const tables = await shop.db.introspection.getTables()
      const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'account_id'))
      expect(owned.length).toBeGreaterThan(20)
      const found: string[] = []
      for (const { name } of owned) {
        const rows = sql`select 1 from ${sql.table(name)} where account_id = ${accountId} limit 1`
        if ((await rows.execute(shop.db)).rows.length > 0) found.push(name)
      }
      return found.sort()
    }

    it('leaves no row of it in any table, and touches no other account', async () => {
      await fillEveryTable(doomed)
      await stock(shop)
      const everyTable = (await accountTables(shop.db)).map(({ name }) => name).sort()
      expect(await tablesWith(doomed.accountId)).toEqual(everyTable)
      const others = await shop.get('/products')
      const products = await doomed.listed('/products?limit=100')
      const deleted = await remove()
      expect(await tablesWith(doomed.accountId)).toEqual([])
      // A measurement that began before may have taken its rows away.
      const counted = everyTable.filter((table) => table !== 'storage_usage')
      for (const table of counted) expect([table, deleted.get(table)]).toEqual([table, expect.any(Number)])
      expect(deleted.get('products')).toBe(products.length)
      expect(await shop.get('/products')).toEqual(others)
    })

    it('ends its tokens at once, also those that were just used', async () => {
      expect((await doomed.api('GET', '/me')).status).toBe(200)
      await remove()
      expect((await doomed.api('GET', '/me')).status).toBe(401)
      expect(await findAccount(database(), subdomain)).toBeUndefined()
    })

    it('takes people along who have no other account', async () => {
      const both = { name: 'Both', email: `both-${made}@example.com`, role: 'member' as const }
      await addMember(database(), shop.accountId, both)
      await addMember(database(), doomed.accountId, both)
      expect((await remove()).get('users')).toBe(1)
      const people = await shop.db.selectFrom('users').select('email').execute()
      const emails = people.map(({ email }) => email)
      expect(emails).toContain(both.email)
      expect(emails).not.toContain(`${subdomain}@example.com`)
    })

    it('goes in steps, and when it is broken off is continued', async () => {
      for (let count = 0; count < 3; count++) await doomed.tag()
      await fillTags(doomed, 2_500)
      let steps = 0
      const breaking: Scope<Tables> = {
        read: shop.db,
        transaction(work, options) {
          if (++steps > 4) throw new Error('The process was killed')
          return database().transaction(work, options)
        },
      }
      await expect(deleteAccount(breaking, doomed.accountId)).rejects.toThrow('killed')
      expect((await doomed.api('GET', '/me')).status).toBe(401)
      const halfway = await findAccount(database(), subdomain)
      expect(halfway).toMatchObject({ id: doomed.accountId, owner: null, tokens: 0 })
      expect(await tablesWith(doomed.accountId)).toContain('tags')
      const rest = await remove()
      expect(rest.get('accounts')).toBe(1)
      expect(rest.get('tags')).toBeLessThanOrEqual(2_503)
      expect(await tablesWith(doomed.accountId)).toEqual([])
    })

    it('is ended by the server when nobody continues it, with what late requests wrote', async () => {
      await remove()
      await fillTags(doomed, 3)
      const deletions = () => shop.db.selectFrom('account_deletions').selectAll().execute()
      await finishDeletions(database())
      expect(await tablesWith(doomed.accountId)).toEqual(['tags'])
      await finishDeletions(database(), Date.now() + DAY_MS / 2)
      expect(await tablesWith(doomed.accountId)).toEqual([])
      expect((await deletions()).map(({ id }) => id)).toContain(doomed.accountId)
      await finishDeletions(database(), Date.now() + 2 * DAY_MS)
      expect(await deletions()).toEqual([])
    })

    it('frees its subdomain', async () => {
      const owner = { name: 'Next', email: `next-${made}@example.com` }
      const open = () => openAccount(database(), SECRET_KEY, { name: 'Next', subdomain, owner })
      expect(await open()).toBeNull()
      await remove()
      expect(await open()).toMatchObject({ subdomain })
    })

    it('finds its tables by keys that begin with the account, and no foreign key orders them', async () => {
      const tables = await accountTables(shop.db)
      expect(tables.at(-1)!.name).toBe('accounts')
      for (const { name, key } of tables) expect([name, key[0], key.length > 1]).toEqual([name, 'account_id', true])
      const all = (await shop.db.introspection.getTables()).filter(({ columns }) =>
        columns.some(({ name }) => name === 'account_id'),
      )
      expect(tables.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name).sort())
      const foreign =
        database().engine === 'sqlite'
          ? sql`select 1 from sqlite_schema as tables join pragma_foreign_key_list(tables.name)`
          : sql`select 1 from information_schema.table_constraints where constraint_type = 'FOREIGN KEY'`
      expect((await foreign.execute(shop.db)).rows).toEqual([])
    })
  })
})

async function fillTags({ accountId, running }: Shop, count: number): Promise<void> {
  const now = timestampOf(new Date())
  const row = { account_id: accountId, color: null, search_text: '', created_at: now, updated_at: now }
  const rows = Array.from({ length: count }, () => newId('tag')).map((id) => ({ ...row, id, name: id, name_key: id }))
  await running.app.database.transaction(async ({ db }) => {
    while (rows.length > 0) await db.insertInto('tags').values(rows.splice(0, 500)).execute()
  })
}
