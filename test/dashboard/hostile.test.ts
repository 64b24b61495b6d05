import { Parser } from 'htmlparser2'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Noun } from '../../src/contract/declarations/noun.ts'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { anyTable } from '../../src/records/records.ts'
import { type Person, signIn } from '../support/person.ts'
import { rpc } from '../support/server.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { type Ids, stock } from '../support/stock.ts'

const BASE = '/dashboard/my-shop'
/** Each ends an attribute, an element or a script around it, or runs as an address; a short field takes the short one. */
const HOSTILE = [
  `'"></textarea></title></script><img src=x onerror=alert(1)><script>alert(1)</script>`,
  `"'><img src=x onerror=alert(1)>`,
  'javascript:alert(1)',
]
const PROGRAM = `name = ${JSON.stringify(HOSTILE[0])}; post("/tags", name: name[0, 40]); puts name; name`
/** Pages of one kind, such as those of products. */
const OF_A_KIND = 3

describe('What people, buyers and programs have written', () => {
  onGateEngine((shop) => {
    let person: Person
    let filled: string[]
    let ids: Ids

    beforeAll(async () => {
      person = await signIn(shop.running)
      ids = await stock(shop)
      await act(shop)
      await shop.settled()
      const { pipeline } = shop.running.app
      const nouns = new Catalogue(pipeline).all().map(({ noun }) => noun)
      filled = (await Promise.all(nouns.map((noun) => fill(shop, noun, ids[noun.name])))).flat()
      await shop.set('users', shop.running.app.firstAccount!.userId, { name: HOSTILE[0] })
    })

    it('is text on every page of the dashboard, in every field that takes it', async () => {
      expect(filled.length).toBeGreaterThan(100)
      const own = ownOf(ids)
      const { faults, opened } = await crawl(BASE, own)
      expect(faults).toEqual([])
      expect(opened).toBeGreaterThan(own.length + 50)
    })

    it('is text on every page of the shop', async () => {
      const { faults, opened } = await crawl('/s/my-shop', await shopPages())
      expect(faults).toEqual([])
      expect(opened).toBeGreaterThan(6)
    })

    it('is text in what refuses it', async () => {
      for (const [path, fields] of [
        ['discounts/new', { code: HOSTILE[0]!, percent_off: HOSTILE[0]! }],
        ['products/new', { name: '', slug: HOSTILE[0]!, metadata: HOSTILE[0]! }],
        ['customers/new', { name: HOSTILE[0]!, email: HOSTILE[0]! }],
      ] as const) {
        const { status, html } = await person.submit(`${BASE}/${path}`, { ...fields })
        expect([path, status, faultsOf(html)]).toEqual([path, 422, []])
      }
      const odd = encodeURIComponent(HOSTILE[0]!)
      for (const path of [
        `${BASE}/${odd}`,
        `${BASE}/orders?status=${odd}`,
        `${BASE}/orders/${odd}`,
        `/sign-in?next=${odd}`,
      ])
        expect([path, faultsOf((await person.get(path)).html)]).toEqual([path, []])
    })

    /** Opens what can be reached from some addresses, a few of each kind, and says what runs there. */
    async function crawl(below: string, from: string[]): Promise<{ faults: object[]; opened: number }> {
      const seen = new Map<string, number>()
      const open = [below, ...from]
      const faults: object[] = []
      for (const path of open) {
        const { html, headers, status } = await person.get(path)
        const isPage = /^text\/html/.test(headers.get('content-type') ?? '')
        const found = [...(status >= 500 ? [`answers ${status}`] : []), ...(isPage ? faultsOf(html) : [])]
        if (found.length > 0) faults.push({ path, found })
        if (!isPage) continue
        for (const link of linksOf(html)) if (link.startsWith(`${below}/`) && isNew(seen, link)) open.push(link)
      }
      return { faults, opened: open.length }
    }

    function ownOf(known: Ids): string[] {
      return new Catalogue(shop.running.app.pipeline)
        .all()
        .flatMap(({ path, noun, retrieve, update, remove, actions }) => {
          const own = `${BASE}/${path}/${known[noun.name]}`
          if (!retrieve?.addressed || !known[noun.name]) return []
          return ['', update && '/edit', remove && '/delete', ...[...actions.keys()].map((name) => `/${name}`)]
            .filter((end) => end !== null && end !== undefined)
            .map((end) => own + end)
        })
    }

    /** The pages at which visitors and buyers arrive. */
    async function shopPages(): Promise<string[]> {
      const things = ['forms', 'checkouts', 'checkout_links', 'invoices', 'legal_pages', 'price_variants', 'products']
      const all = new Catalogue(shop.running.app.pipeline)
      const found = things.map(async (path) => {
        const one = await shop.get(`/${path}/${ids[all.at(path)!.noun.name]}`)
        return [one.url, one.payment_url, one.purchase_url].filter(Boolean)
      })
      const addresses = (await Promise.all(found)).flat() as string[]
      return addresses
        .filter((url) => url.startsWith(shop.running.url))
        .map((url) => url.slice(shop.running.url.length))
    }
  })
})

/** What leaves traces beyond things: runs, a plan, requests, letters, deliveries. */
async function act(shop: Shop): Promise<void> {
  const execute = (code: string) =>
    rpc(`${shop.running.url}/mcp`, { Authorization: `Bearer ${shop.running.token}` }, 'tools/call', {
      name: 'code_execute',
      arguments: { code },
    })
  await execute(PROGRAM)
  await execute(`# dry_run: true\n${PROGRAM}`)
  await execute(`raise ${JSON.stringify(HOSTILE[0])}`)
  await execute(`get("/orders", status: ${JSON.stringify(HOSTILE[0])})`)
  await shop.api('GET', `/products/${encodeURIComponent(HOSTILE[0]!)}?a=${encodeURIComponent(HOSTILE[0]!)}`)
  await shop.api('POST', '/customers', { email: 'ada@example.com', name: HOSTILE[0], metadata: { note: HOSTILE[0]! } })
}

/** Writes into every field that takes it; says which. Rich texts are cleaned when they are written, and not touched here. */
async function fill(shop: Shop, noun: Noun, id: string | undefined): Promise<string[]> {
  if (id === undefined) return []
  const row = await anyTable({ db: shop.db })
    .selectFrom(noun.plural)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  const values: Record<string, string> = {}
  for (const [name, { spec }] of Object.entries(noun.fields)) {
    if (row?.[name] === undefined || spec.use !== 'stored' || spec.relation || spec.rich) continue
    const given =
      spec.type === 'string' ? HOSTILE : name === 'metadata' ? [{ note: HOSTILE[0], [HOSTILE[1]!]: 'x' }] : []
    const taken = given.find((one) => spec.schema.safeParse(one).success)
    if (taken !== undefined) values[name] = typeof taken === 'string' ? taken : JSON.stringify(taken)
  }
  if (Object.keys(values).length > 0) await shop.set(noun.plural as never, id, values)
  return Object.keys(values).map((name) => `${noun.name}.${name}`)
}

/** What would run in a browser, or leave the page it stands in. */
function faultsOf(html: string): string[] {
  const faults: string[] = []
  let script = false
  const parser = new Parser({
    onopentag(tag, attributes) {
      script = tag === 'script'
      for (const [name, value] of Object.entries(attributes)) {
        if (/^on|['"<]/.test(name)) faults.push(`${tag} has the attribute ${name}`)
        if (/^\s*javascript:/i.test(value) && ['href', 'src', 'action', 'formaction'].includes(name))
          faults.push(`${tag} leads to ${value}`)
      }
    },
    ontext(words) {
      if (script && words.includes('alert(1)')) faults.push('a script has it')
    },
  })
  parser.end(html)
  return faults
}

function linksOf(html: string): string[] {
  const links: string[] = []
  const parser = new Parser({
    onopentag(tag, { href }) {
      if (tag === 'a' && href?.startsWith('/') && !/\/download\b/.test(href)) links.push(href)
    },
  })
  parser.end(html)
  return links
}

function isNew(seen: Map<string, number>, link: string): boolean {
  const kind = link.replace(/[?#].*$/, '').replaceAll(/\/[a-z]+_[0-9a-z]{20,}/g, '/…')
  const count = seen.get(kind) ?? 0
  if (count >= OF_A_KIND || seen.has(`= ${link}`)) return false
  seen.set(kind, count + 1)
  seen.set(`= ${link}`, 1)
  return true
}
