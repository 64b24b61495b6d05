import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { inputName } from '../src/contract/declarations/noun.ts'
import { callTool } from './mcp/agent.ts'
import { Visitor } from './pages/visitor.ts'
import { restartNumbers } from './support/numbers.ts'
import { signIn } from './support/person.ts'
import { rehearse } from './support/rehearsal.ts'
import { pay, priceForSale } from './support/sell.ts'
import { onEachEngine, onGateEngine, type Shop } from './support/shop.ts'
import { digest, StableText } from './support/stable.ts'
import { bodyOf, type Ids, pathOf, stock, stockFor } from './support/stock.ts'

type AnyOperation = Shop['operations'][number]

const NOW = new Date('2026-03-10T12:00:00Z')

/** Compares a text with a file of test/golden. `npm test -- test/golden.test.ts -u` rewrites the files. */
const expectGolden = (text: string, name: string) => expect(`${text}\n`).toMatchFileSnapshot(`golden/${name}.txt`)

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})
afterAll(() => {
  vi.useRealTimers()
})

describe('The documents stay as they are', () => {
  onGateEngine((shop) => {
    it('the OpenAPI document, of which catalog/openapi.json has the text', async () => {
      const served = await (await fetch(`${shop.running.url}/v1/openapi.json`)).text()
      const { paths, components, ...rest } = JSON.parse(new StableText(shop.running.url).of(served))
      const parts = [...Object.entries(rest), ...entries(paths, 'paths'), ...entries(components, 'components')]
      await expectGolden(parts.map(([name, value]) => `${name} ${digest(value)}`).join('\n'), 'openapi')
    })

    it('the list of tools of the MCP endpoint', async () => {
      const answer = await fetch(`${shop.running.url}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        headers: { Authorization: `Bearer ${shop.token}` },
      })
      await expectGolden(JSON.stringify(await answer.json(), null, 1), 'tools-list')
    })

    it('the operations and resources as programs see them', async () => {
      const ask = async (code: string) => {
        const { structuredContent } = await callTool(shop.running, 'code_search', code)
        return structuredContent.result as unknown[]
      }
      const operations: unknown[] = []
      while (operations.length < shop.operations.length)
        operations.push(...(await ask(`tools.drop(${operations.length}).first(8)`)))
      await expectGolden(operations.map((one) => JSON.stringify(one)).join('\n'), 'program-operations')
      const names = (await ask('resources.keys')) as string[]
      const resources: string[] = []
      for (const name of names) resources.push(`${name} ${digest(await ask(`resources[${JSON.stringify(name)}]`))}`)
      await expectGolden(resources.join('\n'), 'program-resources')
    })
  })
})

/** The parts two levels below, by their names. */
function entries(value: Record<string, Record<string, unknown>>, above: string): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.entries(inner).map(([part, one]): [string, unknown] => [`${above} ${name} ${part}`, one]),
  )
}

describe('Every operation answers as before', () => {
  onEachEngine((shop) => {
    it('with its status, its body and its events', async () => {
      for (const [noun, operations] of Map.groupBy(shop.operations, ({ noun }) => noun.name)) {
        const answers: string[] = []
        for (const operation of operations) answers.push(await answersOf(shop, operation))
        await expectGolden(answers.join('\n\n'), `operations/${noun}`)
      }
    })
  })
})

/** The answer of an operation to its documented request, its events, and its refusal of a body whose values all have wrong types. */
async function answersOf(service: Shop, operation: AnyOperation): Promise<string> {
  restartNumbers()
  const shop = service.as(await service.running.another(operation.id.replaceAll('_', '-')))
  const ids = await stockFor(shop, operation)
  const path = pathOf(operation, ids)
  const body = bodyOf(shop, operation, ids)
  const stable = new StableText(shop.running.url)
  let answer = { status: 0, body: null }
  const events = await shop.eventsOf(async () => {
    answer = await shop.api(operation.method, path, body)
    await shop.settled()
  })
  const lines = [
    `${operation.method} ${stable.of(path)}`,
    `${answer.status} ${stable.json(answer.body)}`,
    ...events.map(({ type, data, previous }) => {
      const same = JSON.stringify(data) === JSON.stringify(answer.body)
      return `${type} ${same ? 'as answered' : stable.json(data)}${previous ? ` was ${stable.json(previous)}` : ''}`
    }),
    await refusalsOf(shop, operation, ids),
  ]
  return lines.join('\n')
}

async function refusalsOf(shop: Shop, operation: AnyOperation, ids: Ids): Promise<string> {
  const wrong = Object.entries(operation.body ?? {}).map(([name, field]) => [inputName(name, field), [[]]])
  if (wrong.length === 0) return ''
  const { status, body } = await shop.api(operation.method, pathOf(operation, ids), Object.fromEntries(wrong))
  return `${status} ${new StableText(shop.running.url).json(body)}`
}

describe('Pages and letters are as before', () => {
  onGateEngine((service) => {
    let shop: Shop
    let ids: Ids
    const visitor = () => new Visitor(service.running.url)

    beforeAll(async () => {
      restartNumbers()
      shop = service
      ids = await stock(shop)
      await shop.settled()
    })

    /** Pages of one kind, each from its address. */
    const keep = async (
      name: string,
      addresses: string[],
      open: (address: string) => Promise<{ status: number; html: string }>,
    ) => {
      const stable = new StableText(shop.running.url)
      const pages: string[] = []
      for (const address of addresses) {
        const { status, html } = await open(address)
        pages.push(`${stable.of(address)}\n${status}\n${inLines(stable.of(html))}`)
      }
      await expectGolden(pages.join('\n\n'), `pages/${name}`)
    }

    it('of the dashboard', async () => {
      const person = await signIn(shop.running)
      const own = (path: string) => `/dashboard/my-shop${path}`
      await keep('dashboard-home', [own('')], (address) => person.get(address))
      const inside = async (address: string) => {
        const { status, html } = await person.get(address)
        return { status, html: html.slice(html.indexOf('<main'), html.indexOf('</main>')) }
      }
      const named = (path: string) => own(path.replace(/:(\w+)/g, (_, noun: string) => ids[noun]!))
      await keep('dashboard-lists', LISTS.map(own), inside)
      await keep('dashboard-things', THINGS.map(named), inside)
      await keep('dashboard-forms', FORMS.map(named), inside)
      await keep('dashboard-settings', SETTINGS.map(own), inside)
    })

    it('of the shop', async () => {
      const { data } = await shop.get('/products?status=active&limit=1')
      const post = await shop.get(`/blog_posts/${ids.blog_post}`)
      const experience = await shop.get(`/experiences/${ids.experience}`)
      const { data: pages } = await shop.get('/legal_pages?limit=1')
      const urls = [
        data[0].url,
        post.url,
        `/s/my-shop/x/${experience.slug}`,
        pages[0].url,
        (await shop.get(`/forms/${ids.form}`)).url,
      ]
      await keep(
        'shop',
        ['/s/my-shop', '/s/my-shop/blog', '/s/my-shop/p/nothing', '/s/my-shop/access', ...urls],
        (address) => visitor().open(address),
      )
    })

    it('of buying', async () => {
      const price = await priceForSale(shop, {
        amount: 2900,
        name: 'Monthly',
        billing_type: 'subscription',
        recurring_interval: 'month',
      })
      const open = await shop.get(`/checkouts/${ids.checkout}`)
      const paid = await shop.post('/checkouts', {
        line_items: [{ price_variant: price.id }],
        email: 'ada@example.com',
      })
      await pay(shop, paid.id)
      const [link, invoice] = [
        await shop.get(`/checkout_links/${ids.checkout_link}`),
        await shop.get(`/invoices/${ids.invoice}`),
      ]
      await keep('checkout', [open.url, paid.url, link.url, price.purchase_url, invoice.payment_url], (address) =>
        visitor().follow(address),
      )
    })

    it('of signing in', async () => {
      await keep(
        'sign-in',
        ['/sign-in', '/forgot-password', '/set-password/unknown', '/invitations/unknown', '/', '/nothing'],
        (address) => visitor().open(address, { headers: { Accept: 'text/html' } }),
      )
    })

    it('the letters, by their subjects', async () => {
      const life = await rehearse(service)
      const { id } = await life.subscribe({ trial_period_days: 30 })
      await life.pastPeriod(id)
      await life.act(id, 'cancel')
      await life.pastPeriod(id)
      await life.subscribe({ recurring_interval: 'year' }, { card: '4000000000000341' })
      await life.to('2037-01-31T10:00:00Z')
      await shop.settled()
      const stable = new StableText(shop.running.url)
      const letters = await sentLetters(shop.running.dataDirectory)
      const shown = letters.map(({ subject, text, html }) =>
        stable.of(
          `${subject}\n\n${text}\n${inLines(html!.replace(/<style>[\s\S]*?<\/style>/g, (style) => `<style ${digest(style)}>`))}`,
        ),
      )
      await expectGolden(shown.join('\n\n'), 'letters')
    })
  })
})

const LISTS = [
  'orders',
  'products',
  'customers',
  'subscriptions',
  'invoices',
  'disputes',
  'discounts',
  'reviews',
  'tags',
  'emails',
  'files',
  'task_runs',
  'social_posts',
  'log_entries',
].map((name) => `/${name}`)
const THINGS = [
  'order',
  'product',
  'customer',
  'subscription',
  'invoice',
  'discount',
  'form',
  'task',
  'social_post',
].map((noun) => `/${noun}s/:${noun}`)
const FORMS = [
  '/products/new',
  '/products/:product/edit',
  '/discounts/new',
  '/orders/:order/refund',
  '/subscriptions/:subscription/cancel',
  '/tags/:tag/delete',
  '/tasks/new',
  '/emails/new',
]
const SETTINGS = [
  '/settings',
  '/settings/branding',
  '/settings/payments',
  '/settings/letters',
  '/settings/members',
  '/reports',
  '/recover',
  '/plans',
  '/social',
  '/developers',
]

/** Markup with each element on a line of its own. */
function inLines(html: string): string {
  return html.replaceAll(/\s*\n\s*/g, '\n').replaceAll(/(?<=>)(?=<(?!\/))/g, '\n')
}

/** The first letter of each subject. */
async function sentLetters(dataDirectory: string): Promise<Email[]> {
  const outbox = join(dataDirectory, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).sort()
  const letters = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))))
  const bySubject = new Map(letters.reverse().map((letter) => [letter.subject!, letter]))
  return [...bySubject.values()].sort((a, b) => (a.subject! < b.subject! ? -1 : 1))
}
