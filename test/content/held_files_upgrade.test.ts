import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/values/ids.ts'
import { loadMigrations } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)
const NAMES = ['listed', 'linked', 'picture', 'none', 'theirs'] as const

describe.each(engines)('The files of an earlier version, on $name', ({ name, available }) => {
  const undo: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const step of undo) await step()
  })

  it.skipIf(!available)('are known as held where an experience of their account has them', async () => {
    const { directory, remove } = await freshDirectory()
    undo.push(remove)
    const server = name === 'postgres' ? await freshPostgresUrl() : undefined
    if (server) undo.push(server.remove)
    const all = await loadMigrations(MIGRATIONS)
    const open = (migrations: typeof all) => openDatabase<Tables>({ directory, databaseUrl: server?.url, migrations })
    const ids = Object.fromEntries(NAMES.map((one) => [one, newId('file')])) as Record<(typeof NAMES)[number], string>
    const before = await open(all.filter((one) => one.name < '0065'))
    await before.transaction(async ({ db }) => {
      const made = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
      const file = { ...made, kind: 'file', source: 'upload', upload_status: 'ready', stored_bytes: 1 } as const
      const typed = { listed: 'image/png', linked: 'video/mp4', picture: 'image/png' } as Record<string, string>
      const rows = NAMES.map((one) => ({
        ...{ ...file, id: ids[one], account_id: one === 'theirs' ? 'acct_2' : 'acct_1' },
        detected_type: typed[one] ?? null,
      }))
      await db
        .insertInto('files')
        .values(rows as never)
        .execute()
      const linkTo = (id: string) => `<img src="https://shop.example/files/${id}/x/name">`
      const content = JSON.stringify({
        files: [ids.listed, ids.theirs],
        body_html: linkTo(ids.linked) + linkTo(ids.picture),
      })
      const experience = { ...made, account_id: 'acct_1', id: 'exp_1', name: 'E', slug: 'e', content }
      const kind = { access_type: 'secret', item_type: 'download' }
      await db
        .insertInto('experiences')
        .values({ ...experience, ...kind } as never)
        .execute()
    })
    await before.close()
    const database = await open(all)
    undo.unshift(() => database.close())
    const held = await database.read.selectFrom('files').select('id').where('in_experience', '=', 1).execute()
    expect(held.map(({ id }) => id).sort()).toEqual([ids.listed, ids.linked].sort())
  })
})
