import { afterAll, describe, expect, it } from 'vitest'
import { loadMigrations } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`

describe.each(engines)('The people of an earlier version, on $name', ({ name, available }) => {
  const undo: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const step of undo) await step()
  })

  /** A database with these people in it as the version before left them, upgraded. */
  async function upgraded() {
    const { directory, remove } = await freshDirectory()
    undo.push(remove)
    const server = name === 'postgres' ? await freshPostgresUrl() : undefined
    if (server) undo.push(server.remove)
    const all = await loadMigrations(MIGRATIONS)
    const open = (migrations: typeof all) => openDatabase<Tables>({ directory, databaseUrl: server?.url, migrations })
    const before = await open(all.filter((one) => one.name < '0049'))
    await before.transaction(async ({ db }) => {
      const user = { name: 'N', created_at: at(1), email_verified: 0, updated_at: null }
      await db
        .insertInto('users')
        .values([
          { ...user, id: 'user_placeholder', email: 'owner@example.com' },
          { ...user, id: 'user_operator', email: 'made@x.com' },
          { ...user, id: 'user_invited', email: 'invited@x.com', email_verified: 1 },
          { ...user, id: 'user_changed', email: 'victim@x.com', email_verified: 1, updated_at: at(2) },
        ])
        .execute()
      const method = { provider_id: 'credential', password_hash: 'x', created_at: at(1) }
      const key = { name: null, public_key: 'x', counter: 0, device_type: 'x', backed_up: 0 }
      for (const user_id of ['user_invited', 'user_changed']) {
        const row = { id: `m_${user_id}`, user_id, provider_account: user_id, ...method, updated_at: at(4) }
        await db.insertInto('sign_in_methods').values(row).execute()
        for (const day of [3, 5]) {
          const id = `${user_id} ${day}`
          await db
            .insertInto('passkeys')
            .values({ id, user_id, credential_id: id, ...key, created_at: at(day) })
            .execute()
        }
      }
      const place = { account_id: 'acct_1', created_at: at(1) }
      const roles = { user_operator: 'owner', user_invited: 'admin', user_changed: 'member' } as const
      for (const [user_id, role] of Object.entries(roles))
        await db
          .insertInto('memberships')
          .values({ ...place, user_id, role })
          .execute()
      const invitation = { ...place, expires_at: at(9), updated_at: at(1) }
      const made = [
        ['user_operator', 'owner'],
        ['user_invited', 'owner'],
        ['user_invited', 'admin'],
        ['user_changed', 'member'],
        ['user_gone', 'member'],
      ] as const
      for (const [invited_by, role] of made) {
        const id = `${invited_by} ${role}`
        await db
          .insertInto('invitations')
          .values({ ...invitation, id, email: `${id}@x.com`, role, invited_by })
          .execute()
      }
    })
    await before.close()
    const database = await open(all)
    undo.unshift(() => database.close())
    return database.read
  }

  it.skipIf(!available)('are known by their addresses unless these were changed, and keep what is theirs', async () => {
    const db = await upgraded()
    const people = await db.selectFrom('users').select(['id', 'email_verified']).orderBy('id').execute()
    expect(people.map(({ id, email_verified }) => [id, email_verified])).toEqual([
      ['user_changed', 0],
      ['user_invited', 1],
      ['user_operator', 1],
      ['user_placeholder', 0],
    ])
    expect((await db.selectFrom('sign_in_methods').selectAll().execute()).length).toBe(2)
    expect((await db.selectFrom('memberships').selectAll().execute()).length).toBe(3)
    const ids = async (table: 'passkeys' | 'invitations') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
    expect(await ids('passkeys')).toEqual(['user_changed 5', 'user_invited 3', 'user_invited 5'])
    expect(await ids('invitations')).toEqual(['user_invited admin', 'user_operator owner'])
  })
})
