import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { accountTables } from '../../src/database/account-tables.ts'
import { anyTable } from '../../src/records/records.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

let keys = 0

describe('A secret that an answer shows', () => {
  onGateEngine((shop) => {
    it('is readable nowhere in what is stored, also where the answer is kept', async () => {
      const secrets = [...(await byRequests(shop)), ...(await byPrograms(shop)), ...(await inDashboard(shop))]
      expect(secrets).toHaveLength(11)
      expect(secrets.filter((secret) => typeof secret !== 'string' || secret.length < 20)).toEqual([])
      expect(await foundInTables(shop, secrets)).toEqual([])
      expect(await foundInFiles(shop, secrets)).toEqual([])
    })

    it('is given again to whoever repeats the request or the program', async () => {
      const headers = { 'Idempotency-Key': 'again' }
      const ask = () => shop.api('POST', '/webhook_endpoints', endpoint('again'), { headers })
      const [first, again] = [await ask(), await ask()]
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.body).toEqual(first.body)
      const code = `# once: again\n${creating('/webhook_endpoints', endpoint('program'))}["secret"]`
      const answers = [await execute(shop, code), await execute(shop, code)]
      expect(answers[1]!.body.replayed).toBe(true)
      expect(answers[1]!.body.result).toBe(answers[0]!.body.result)
    })
  })
})

const endpoint = (name: string) => ({ url: `https://example.com/${name}`, enabled_events: ['product.created'] })

/** What answers show once, and addresses that let their holder act. Those that invoices are paid at are in their events too. */
async function showing(shop: Shop): Promise<[path: string, body: object, secretOf: (answer: Body) => string][]> {
  const price = await priceForSale(shop, { amount: 500 })
  return [
    ['/webhook_endpoints', endpoint(`n${++keys}`), ({ secret }) => secret],
    ['/checkouts', { line_items: [{ price_variant: price.id }] }, ({ client_secret }) => client_secret],
    ['/files', { filename: 'a.png' }, ({ upload_url }) => lastOf(upload_url)],
    ['/social_accounts', { platform: 'instagram' }, ({ connect_url }) => lastOf(connect_url)],
    ['/event_sources', { provider: 'webhook', event_type: 'received' }, ({ ingest_url }) => lastOf(ingest_url)],
  ]
}

const lastOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)

async function byRequests(shop: Shop): Promise<string[]> {
  const secrets: string[] = []
  for (const [path, body, secretOf] of await showing(shop)) {
    const { status, body: answer } = await shop.api('POST', path, body, {
      headers: { 'Idempotency-Key': `secret-${++keys}` },
    })
    expect([path, status, answer.error]).toEqual([path, 201, undefined])
    secrets.push(secretOf(answer))
  }
  return secrets
}

async function byPrograms(shop: Shop): Promise<string[]> {
  const secrets: string[] = []
  for (const [path, body, secretOf] of await showing(shop)) {
    const call = creating(path, body)
    const { body: answer } = await execute(shop, `# once: secret-${++keys}\n${call}`)
    secrets.push(secretOf(answer.result))
    await execute(shop, `# dry_run\n${creating(path, body)}`)
  }
  return secrets
}

const creating = (path: string, body: object) => `post("${path}", ${JSON.stringify(body)})`

async function inDashboard(shop: Shop): Promise<string[]> {
  const token = await ask(shop, '/api_tokens', { name: 'Secret', right: 'write' })
  return [token.value]
}

async function ask(shop: Shop, path: string, body: object): Promise<Body> {
  const [member] = await shop.db
    .selectFrom('memberships')
    .selectAll()
    .where('account_id', '=', shop.accountId)
    .execute()
  const accountId = shop.accountId
  const caller: Caller = { kind: 'session', sessionId: 's', accountId, userId: member!.user_id, role: 'owner' }
  const request = {
    method: 'POST',
    path,
    query: {},
    body,
    caller,
    dashboard: true,
    idempotencyKey: `dashboard-${++keys}`,
  }
  const { status, body: answer } = await shop.running.app.pipeline.run(request)
  expect([path, status, answer.error]).toEqual([path, 201, undefined])
  return answer
}

function execute(shop: Shop, code: string) {
  const { app } = shop.running
  const caller: Caller = { kind: 'session', sessionId: 's', ...app.firstAccount!, role: 'owner' }
  return app.mcp.execute(caller, code) as Promise<{ body: Body }>
}

/** `table: the first characters of the secret`. */
async function foundInTables(shop: Shop, secrets: string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const { name } of await accountTables(shop.db)) {
    const rows = JSON.stringify(await anyTable({ db: shop.db }).selectFrom(name).selectAll().execute())
    for (const secret of secrets) if (rows.includes(secret)) found.add(`${name}: ${secret.slice(0, 6)}`)
  }
  return [...found]
}

/** The data directory holds the embedded database and its log, and the outbox. */
async function foundInFiles(shop: Shop, secrets: string[]): Promise<string[]> {
  const directory = shop.running.dataDirectory
  const found: string[] = []
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    for (const secret of secrets) if (bytes.includes(secret)) found.push(`${entry.name}: ${secret.slice(0, 6)}`)
  }
  return found
}
