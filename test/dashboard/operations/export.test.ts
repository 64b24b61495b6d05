import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../../src/assembly.ts'
import { accountTables } from '../../../src/database/account-tables.ts'
import { exportedParts } from '../../../src/resources/dashboard.ts'
import { type DashboardUser, memberOf, ownerOf } from '../../support/dashboard.ts'
import { type Body, onGateEngine, type Shop } from '../../support/shop.ts'
import { stock } from '../../support/stock.ts'

const { dashboard, shop: resources } = PRODUCT

const run = promisify(execFile)

/** Bookkeeping of the service, and secrets: nothing that an account would miss. */
const LEFT_OUT = [
  'account_clocks',
  'background_rows',
  'buyer_links',
  'buyer_sessions',
  'card_changes',
  'counters',
  'customer_tags_counts',
  'email_bodies',
  'event_source_deliveries',
  'event_source_memories',
  'idempotency_keys',
  'imported_rows',
  'jobs',
  'model_tokens',
  'own_models',
  'payment_connections',
  'letter_buckets',
  'letter_choices',
  'letter_turns',
  'oauth_codes',
  'oauth_tokens',
  'program_results',
  'rate_buckets',
  'sandbox_posts',
  'search_entries',
  'site_files',
  'social_apps',
  'social_authorizations',
  'social_comment_deletions',
  'storage_usage',
  'token_uses',
  'tombstones',
  'webhook_queues',
]

describe('The export of an account', () => {
  onGateEngine((shop) => {
    let owner: DashboardUser

    beforeAll(async () => {
      owner = await ownerOf(shop)
    })

    async function ready(person = owner): Promise<Body> {
      const { id } = await person.post('/account_exports')
      const find = () => person.get(`/account_exports/${id}`)
      await expect.poll(find, { timeout: 30_000, interval: 200 }).toMatchObject({ status: 'ready' })
      return find()
    }

    it('holds every resource and no secret, and is downloaded by its signed address', { timeout: 60_000 }, async () => {
      await stock(shop)
      const tokens = [shop.running.token, (await owner.post('/api_tokens', { name: 'Secret' })).value]
      const endpoint = await shop.post('/webhook_endpoints', {
        url: 'https://shop.example/hook',
        enabled_events: ['*'],
      })
      for (let count = 0; count < 120; count++) await shop.tag()
      const done = await ready()
      expect(done).toMatchObject({ parts_done: done.parts_total, expires_at: expect.stringMatching(/Z$/) })
      const answer = await fetch(done.download_url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
      const files = await unzipped(new Uint8Array(await answer.arrayBuffer()))
      const rows = (name: string) =>
        files
          .get(`${name}.jsonl`)!
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      expect(rows('tags').length).toBe(await countOf(shop, 'tags'))
      expect(rows('products').length).toBe(await countOf(shop, 'products'))
      expect(rows('events').length).toBeGreaterThan(120)
      expect(rows('accounts')).toMatchObject([{ id: shop.accountId }])
      const all = [...files.values()].join('\n')
      for (const secret of [...tokens, endpoint.secret, 'token_hash', 'sealed_secret'])
        expect(all).not.toContain(secret)
      expect(JSON.parse(files.get('export.json')!)).toMatchObject({ account: { id: shop.accountId } })
    })

    it('names every table of accounts, or says why not', async () => {
      const exported = exportedParts([...resources, ...dashboard], PRODUCT.features).map(({ table }) => table)
      expect(new Set(exported).size).toBe(exported.length)
      const tables = (await accountTables(shop.db)).map(({ name }) => name)
      expect(tables.filter((name) => !exported.includes(name) && !LEFT_OUT.includes(name))).toEqual([])
      expect(LEFT_OUT.filter((name) => exported.includes(name) || !tables.includes(name))).toEqual([])
    })

    it('is for owners, of one account, one at a time, and gone once it is deleted', { timeout: 60_000 }, async () => {
      const other = shop.as(await shop.running.another('exporting'))
      const person = await ownerOf(other)
      const { id, download_url } = await ready(person)
      for (const role of ['admin', 'member'] as const)
        expect((await (await memberOf(other, role)).try('GET', `/account_exports/${id}`))[0]).toBe(403)
      expect((await owner.try('GET', `/account_exports/${id}`))[0]).toBe(404)
      expect((await owner.try('DELETE', `/account_exports/${id}`))[0]).toBe(404)
      for (const forged of [
        download_url.replace(/signature=./, 'signature=_'),
        download_url.replace(/expires=\d/, 'expires=9'),
      ])
        expect((await fetch(forged)).status).toBe(404)
      const [first, second] = await Promise.all([1, 2].map(() => person.try('POST', '/account_exports', {})))
      expect([first![0], second![0]].sort()).toEqual([201, 400])
      await person.delete(`/account_exports/${id}`)
      expect((await fetch(download_url)).status).toBe(404)
    })
  })
})

async function countOf(shop: Shop, table: 'tags' | 'products'): Promise<number> {
  return (await shop.db.selectFrom(table).select('id').where('account_id', '=', shop.accountId).execute()).length
}

/** The files of an archive, read by another program than the one that wrote it. */
async function unzipped(bytes: Uint8Array): Promise<Map<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), 'export-'))
  try {
    await writeFile(join(directory, 'export.zip'), bytes)
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2]); print("\\n".join(z.namelist()))'
    const { stdout } = await run('python3', ['-c', script, join(directory, 'export.zip'), directory])
    const names = stdout.trim().split('\n')
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const)),
    )
  } finally {
    await rm(directory, { recursive: true })
  }
}
