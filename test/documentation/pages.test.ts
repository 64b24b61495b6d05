import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/contract/declarations/errors.ts'
import { settingMeanings } from '../../src/settings/config.ts'
import { callTool } from '../mcp/agent.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { blocksOf, linksOf } from './shown.ts'

let app: RunningApp
const at = (path: string, init: RequestInit = {}) => fetch(`${app.url}${path}`, init)
const textAt = async (path: string, init?: RequestInit) => (await at(path, init)).text()

/** Every page that `llms.txt` names, by its path without `.md`. */
async function paths(): Promise<string[]> {
  const links = (await textAt('/llms.txt')).matchAll(/\]\((\S+)\.md\): \S/g)
  return [...links].map(([, address]) => new URL(address!).pathname)
}

beforeAll(async () => {
  app = await startApp({ settings: { WEBHOOK_SIGNATURE_HEADER: 'X-Shop-Hmac-SHA256', WEBHOOK_RETRY_GAPS: '7,120' } })
})
afterAll(async () => {
  await app.close()
  expect(app.errors).toEqual([])
})

describe('Every page of the documentation', () => {
  it('is one of a guide, an operation, a resource or an error', async () => {
    const all = await paths()
    const { operations } = app.app.pipeline
    for (const { id } of operations) expect(all).toContain(`/docs/api/${id}`)
    for (const { noun } of operations) expect(all).toContain(`/docs/resources/${noun.name}`)
    for (const code of Object.keys(ERRORS)) expect(all).toContain(`/docs/errors/${code}`)
    expect(new Set(all).size).toBe(all.length)
  })

  it('has a title, a description, one main heading and headings in order', async () => {
    const titles: string[] = []
    for (const path of await paths()) {
      const page = await textAt(path)
      const [, title] = /<title>([^<]+) · Shopwright<\/title>/.exec(page) ?? []
      const [, description] = /<meta name="description" content="([^"]+)">/.exec(page) ?? []
      const content = page.slice(page.indexOf('<main'))
      const levels = [...content.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))
      const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      const facts = { mains: levels.filter((level) => level === 1).length, first: levels[0], jumps }
      expect({ path, ...facts }).toEqual({ path, mains: 1, first: 1, jumps: [] })
      expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
      expect([path, page.includes('<html lang="en">'), description!.length > 15]).toEqual([path, true, true])
      expect([path, page.includes('undefined'), page.includes('[object Object]')]).toEqual([path, false, false])
      titles.push(title!)
    }
    const own = titles.filter((_, index) => index < 20)
    expect(new Set(own).size).toBe(own.length)
  })

  it('has the same content in Markdown, by its address or as what is accepted', async () => {
    for (const path of await paths()) {
      const [byAddress, accepted] = [await at(`${path}.md`), await at(path, { headers: { Accept: 'text/markdown' } })]
      const text = await byAddress.text()
      expect([path, byAddress.status, byAddress.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/markdown; charset=utf-8',
      ])
      expect([path, await accepted.text()]).toEqual([path, text])
      expect([path, text]).toEqual([path, expect.stringMatching(/^# \S.*\n\n\S/)])
      expect([path, /\{\{|undefined|\[object/.exec(text)?.[0]]).toEqual([path, undefined])
    }
  })

  it('leads only to pages and headings that are there', async () => {
    const known = new Map<string, { status: number; text: string }>()
    const look = async (path: string) => {
      const found = known.get(path)
      if (found) return found
      const response = await at(path)
      known.set(path, { status: response.status, text: await response.text() })
      return known.get(path)!
    }
    const dead = new Set<string>()
    for (const path of ['/', '/docs/search?q=plan', ...(await paths())]) {
      const { text } = await look(path)
      for (const href of linksOf(text)) {
        const target = new URL(href, `${app.url}${path}`)
        if (target.origin !== app.url || target.pathname.startsWith('/dashboard')) continue
        const { status, text: there } = await look(target.pathname + target.search)
        const id = target.hash.slice(1)
        if (status !== 200 || (id !== '' && !there.includes(` id="${id}"`))) dead.add(`${path}: ${href} (${status})`)
      }
    }
    expect([...dead]).toEqual([])
  })

  it('mentions only paths of the API that there are', async () => {
    const { paths: declared } = JSON.parse(await textAt('/v1/openapi.json')) as { paths: object }
    const forms = Object.keys(declared).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))
    const isKnown = (path: string) => path === '/openapi.json' || forms.some((form) => form.test(path))
    for (const path of await paths()) {
      const text = await textAt(`${path}.md`)
      const named = [...text.matchAll(/\/v1(\/[\w{}/.-]*\w\}?)/g)].map(([, one]) => one!)
      const called = [...text.matchAll(/\b(?:get|list|post|patch|delete)\("(\/[^"?]*)/g)].map(([, one]) => one!)
      const literal = called.map((one) => one.replace(/#\{[^}]*(\}|$)/g, 'x'))
      expect([path, [...named, ...literal].filter((one) => !isKnown(one))]).toEqual([path, []])
    }
  })
})

describe('The guides', () => {
  it('have programs that run', { timeout: 60_000 }, async () => {
    let count = 0
    for (const path of (await paths()).filter((one) => /^\/docs(\/[\w-]+)?$/.test(one))) {
      for (const { info, code } of blocksOf(await textAt(`${path}.md`))) {
        if (info !== 'ruby run') continue
        const { isError, structuredContent } = await callTool(app, 'code_execute', code)
        expect([path, code, isError, structuredContent.error]).toEqual([path, code, undefined, undefined])
        count++
      }
    }
    expect(count).toBeGreaterThan(10)
  })

  it('say what the settings of this service are', async () => {
    const webhooks = await textAt('/docs/webhooks.md')
    expect(webhooks).toContain('`X-Shop-Hmac-SHA256`')
    expect(webhooks).toContain('retried after 7 seconds and 2 minutes')
    const hosting = await textAt('/docs/self-hosting.md')
    for (const { name, fallback, meaning } of settingMeanings())
      expect(hosting).toContain(`| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`)
    expect(hosting).toContain('| `PORT` | `3000` |')
  })
})

describe('The documentation', () => {
  it('is not sent again to one who has it', async () => {
    for (const path of ['/', '/docs', '/docs/api/create_product', '/docs/programs.md', '/llms.txt', '/llms-full.txt']) {
      const first = await at(path)
      const held = { 'If-None-Match': first.headers.get('etag')! }
      const again = await at(path, { headers: held })
      expect([path, first.status, again.status, await again.text()]).toEqual([path, 200, 304, ''])
    }
  })

  it('runs no script and loads no style but its own', async () => {
    const response = await at('/docs/quick-start')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'/)
    const page = await response.text()
    expect(page).not.toMatch(/<style|style="|<script(?! type="module" src="\/docs\/assets\/)|\son\w+="/)
    for (const [, address] of page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)) {
      const asset = await at(address!)
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it('answers what is not there with 404, the search and what may be meant', async () => {
    for (const path of ['/docs/nothing', '/docs/api/create_produkt', '/docs/', '/docs/errors/<i>']) {
      const response = await at(path)
      const page = await response.text()
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ])
      expect([path, page.includes('role="search"'), page.includes('Page not found')]).toEqual([path, true, true])
      expect(page).not.toContain('<i>')
    }
    expect(await textAt('/docs/api/create_produkt')).toContain('href="/docs/api/create_product"')
    for (const [path, accept] of [
      ['/docs/nothing', 'text/markdown'],
      ['/docs/errors/nothing.md', '*/*'],
    ] as const) {
      const response = await at(path, { headers: { Accept: accept } })
      expect([path, response.status, await response.text()]).toEqual([
        path,
        404,
        expect.stringMatching(/^# Page not found/),
      ])
    }
  })

  it('has an icon, as all pages have', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const response = await at(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    }
    for (const path of ['/', '/docs', '/sign-in']) expect(await textAt(path)).toContain('href="/favicon.svg"')
  })

  it('lists itself for agents within a size that they can read', async () => {
    const [index, full] = [await textAt('/llms.txt'), await textAt('/llms-full.txt')]
    expect(index).toMatch(/^# Shopwright\n\n> .+/)
    expect(index.length).toBeLessThan(60_000)
    expect(full.length).toBeLessThan(170_000)
    expect(full).toContain('# Programs')
  })
})

describe('The search', () => {
  const find = async (question: string) => {
    const response = await at(`/docs/search.json?q=${encodeURIComponent(question)}`)
    return ((await response.json()) as { results: { path: string }[] }).results.map(({ path }) => path)
  }

  it.each([
    ['refund', '/docs/api/create_refund'],
    ['create product', '/docs/api/create_product'],
    ['idempotncy', '/docs/idempotency'],
    ['verify webhook signature', '/docs/webhooks'],
    ['rate limit', '/docs/rest'],
    ['insufficient_credits', '/docs/errors/insufficient_credits'],
    ['dry run', '/docs/plans'],
    ['backup', '/docs/self-hosting'],
    ['SMTP_URL', '/docs/self-hosting'],
  ])('finds for %s, among the first, %s', async (question, path) => {
    expect((await find(question)).slice(0, 4)).toContain(path)
  })

  it.each([
    ['back up', '/docs/self-hosting'],
    ['checkout', '/docs/selling'],
    ['approve', '/docs/plans'],
    ['price', '/docs/api/create_price_variant'],
    ['list products', '/docs/api/list_products'],
  ])('finds for %s first %s', async (question, path) => {
    expect((await find(question))[0]).toBe(path)
  })

  it('shows the same without a script, and what was asked as text', async () => {
    const page = await textAt('/docs/search?q=refund')
    expect(page).toContain('<a href="/docs/api/create_refund">')
    const hostile = await textAt(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(hostile).not.toContain('<script>alert')
    expect(await textAt('/docs/search')).toContain('<h1>Search</h1>')
  })

  it('bounds what it is asked', async () => {
    expect((await find('a'.repeat(5_000))).length).toBeLessThanOrEqual(20)
    expect(await find('   ')).toEqual([])
  })
})
