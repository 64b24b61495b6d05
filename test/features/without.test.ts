import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemble, PRODUCT } from '../../src/assembly.ts'
import { exitCode } from '../../src/cli/exit-codes.ts'
import { COMMANDS } from '../../src/cli/run-command.ts'
import { openDatabase } from '../../src/database/open.ts'
import { FEATURES } from '../../src/features.ts'
import { allMigrations } from '../../src/migrations.ts'
import { engines, freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { callTool } from '../mcp/agent.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { command } from '../support/command.ts'
import { signedIn } from '../support/signed-in.ts'

type AnyTables = Record<string, { [column: string]: unknown }>

/** Pages that show parts of features where there are any. */
const PAGES = ['', '/search?q=post', '/settings/members', '/settings/connections', '/customers', '/files', '/reports']

describe.each(FEATURES.map((feature) => [feature.name, feature] as const))(
  'The product without %s',
  (name, feature) => {
    const assembly = assemble(FEATURES.filter((one) => one !== feature))
    const tables = tablesOf(name)
    const resources = feature.resources ?? []
    let running: RunningApp
    let dashboard: (path: string) => Promise<Response>
    beforeAll(async () => {
      // The database is one of the whole product.
      running = await startApp({ assembly })
      const { accountId, app } = running
      const [account] = await app.database.read
        .selectFrom('accounts')
        .innerJoin('memberships', 'memberships.account_id', 'accounts.id')
        .select(['subdomain', 'user_id'])
        .where('accounts.id', '=', accountId)
        .execute()
      const cookie = await signedIn(running, account!.user_id)
      dashboard = (path) =>
        fetch(`${running.url}/dashboard/${account!.subdomain}${path}`, { headers: { cookie }, redirect: 'manual' })
    })
    afterAll(async () => {
      await running.close()
      expect(running.errors).toEqual([])
    })

    it('lacks exactly its operations', () => {
      const own = new Set(resources.flatMap(({ operations }) => operations.map(({ id }) => id)))
      const all = PRODUCT.shop.flatMap(({ operations }) => operations.map(({ id }) => id))
      const left = running.app.pipeline.operations.map(({ id }) => id)
      expect(left).toEqual(all.filter((id) => !own.has(id)))
    })

    it('answers over REST, and knows no path of it', async () => {
      expect((await running.api('POST', '/products', { name: 'A book' })).status).toBe(201)
      const document = (await (await fetch(`${running.url}/v1/openapi.json`)).json()) as { paths: object }
      for (const { path } of resources.flatMap(({ operations }) => operations)) {
        expect(document.paths).not.toHaveProperty([path])
        expect((await running.api('GET', path.replaceAll(/\{\w+\}/g, 'x'))).status).toBe(404)
      }
    })

    it('runs programs, which find nothing of it', async () => {
      const executed = await callTool(
        running,
        'code_execute',
        'get("/products")["data"].map { |product| product["name"] }',
      )
      expect(executed.structuredContent.result).toEqual(['A book'])
      for (const { noun } of resources) {
        const count = `tools.count { |tool| tool["path"].start_with?("/${noun.plural}") }`
        expect((await callTool(running, 'code_search', count)).structuredContent.result).toBe(0)
      }
    })

    it('runs rules that features take part in', async () => {
      const { api } = running
      const task = await api('POST', '/tasks', { name: 'Count', prompt: '# ruby\nputs 1', trigger_type: 'manual' })
      expect(task.status).toBe(201)
      expect((await api('DELETE', `/tasks/${task.body.id}`)).status).toBe(200)
      const file = { title: 'Notes', source: 'upload', filename: 'notes.txt', content_base64: 'bm90ZXM=' }
      expect((await api('POST', '/files', file)).status).toBe(201)
      expect((await api('PATCH', '/account', { storefront_domain: 'shop.example' })).status).toBe(200)
      expect((await fetch(`${running.url}/site-hosts?domain=shop.example`)).status).toBe(404)
    })

    it('shows its pages, without those of the feature', async () => {
      for (const path of PAGES) {
        const page = await dashboard(path)
        expect([path, page.status]).toEqual([path, 200])
        const text = await page.text()
        for (const { noun } of resources) expect(text).not.toContain(`/${noun.plural}"`)
      }
      const own = await feature.dashboard?.()
      for (const { path } of own?.pages ?? []) expect((await dashboard(path.replaceAll(/:\w+/g, 'x'))).status).toBe(404)
      for (const path of ['/docs', '/s/nowhere', '/healthz'])
        expect((await fetch(running.url + path)).status).toBe(path === '/s/nowhere' ? 404 : 200)
    })

    it('has all commands but its own', async () => {
      const own = await commandsOf(name)
      expect(own.length + resources.length).toBeGreaterThan(0)
      const others = Object.entries(COMMANDS).filter(([one]) => !own.includes(one))
      const run = (...words: string[]) => command(words, {}, '', undefined, Object.fromEntries(others))
      for (const one of own) expect(await run(one)).toMatchObject({ code: exitCode('usage') })
      for (const [one] of others) expect(await run(one, '--help')).toMatchObject({ code: exitCode('done') })
      const { stdout } = await run('help')
      expect([...stdout.matchAll(/^ {2}npm run ([\w-]+)/gm)].map(([, one]) => one)).toEqual(others.map(([one]) => one))
    })

    it('keeps its tables', async () => {
      expect(await tables).not.toEqual([])
      for (const table of await tables)
        await sql`select count(*) from ${sql.table(table)}`.execute(running.app.database.read)
    })
  },
)

describe.each(engines.filter(({ available }) => available))('A new database on $name', ({ name: engine }) => {
  it('has no tables of features that were left out, and gets them from a build that has them', async () => {
    const { directory, remove } = await freshDirectory()
    const server = engine === 'postgres' ? await freshPostgresUrl() : undefined
    const open = async (features: string[]) =>
      openDatabase<AnyTables>({ directory, databaseUrl: server?.url, migrations: await allMigrations(features) })
    const names = FEATURES.map(({ name }) => name)
    const all = (await Promise.all(names.map(tablesOf))).flat()
    for (const [features, has] of [
      [[], false],
      [names, true],
      [[], true],
    ] as const) {
      const database = await open([...features])
      const found = all.map((table) =>
        sql`select count(*) from ${sql.table(table)}`.execute(database.read).then(
          () => true,
          () => false,
        ),
      )
      expect(new Set(await Promise.all(found))).toEqual(new Set([has]))
      await database.close()
    }
    await Promise.all([remove(), server?.remove()])
  })
})

/** The commands that a feature brings. */
async function commandsOf(feature: string): Promise<string[]> {
  const file = new URL(`../../src/features/${feature}/commands.ts`, import.meta.url)
  if (!existsSync(file)) return []
  const lists: object[] = Object.values(await import(file.href))
  return [...new Set(lists.flatMap(Object.keys))]
}

/** The tables that the migrations of a feature create. */
async function tablesOf(feature: string): Promise<string[]> {
  const own = (await allMigrations([feature])).filter(({ name }) => name.startsWith(`${feature}/`))
  const texts = own.map((migration) => (typeof migration.sql === 'string' ? migration.sql : migration.sql.sqlite))
  return texts.flatMap((text) =>
    [...text.matchAll(/^create table (?:if not exists )?(\w+)/gm)].map(([, table]) => table!),
  )
}
