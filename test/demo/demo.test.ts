import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { verify } from '../../src/integrity/verify.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

/** What each list of the demo shop holds, by the field that says in which state it is. */
const STATES: Record<string, { of: string; are: Record<string, number> }> = {
  '/products': { of: 'status', are: { active: 7, draft: 1, archived: 1 } },
  '/files': { of: 'upload_status', are: { ready: 11 } },
  '/legal_pages': { of: 'published', are: { true: 3 } },
  '/forms': { of: 'status', are: { active: 3, archived: 1 } },
  '/form_submissions': { of: 'confirmed', are: { true: 17, false: 2 } },
  '/invoices': { of: 'status', are: { open: 1, paid: 1, past_due: 1, void: 1 } },
  '/social_accounts': { of: 'status', are: { connected: 3, pending: 1 } },
  '/social_posts': { of: 'status', are: { published: 3, partially_failed: 1, scheduled: 1, draft: 1 } },
  '/formations': { of: 'status', are: { completed: 1, awaiting_payment: 1 } },
  '/formation_documents': {
    of: 'document_type',
    are: { articles_of_organization: 1, operating_agreement: 1, ein_letter: 1 },
  },
  '/tasks': { of: 'trigger_type', are: { schedule: 1, event: 2, manual: 4 } },
  '/event_sources': { of: 'status', are: { active: 1 } },
  '/sites': { of: 'build_status', are: { live: 1 } },
}

/** What became of the runs of each task; how often the report ran depends on the weekday of the first start. */
const RUNS = {
  'Draft the studio letter': ['pending'],
  'Sort enquiries of schools': ['completed', 'completed', 'needs_input'],
  'Monday report': expect.arrayContaining(['completed']),
  'Open seats': ['completed'],
  'Count the old calendars': ['failed'],
  'Plan the holiday posts': ['needs_input'],
  'Build site Kestrel Studio': ['completed'],
}

/** Experiences of every type. */
const TYPES = ['course', 'discord', 'download', 'embed', 'event', 'forum', 'link', 'telegram', 'written_content']

onGateEngine(theDemoShop, { DEMO_DATA: 'shop' })

function theDemoShop(shop: Shop): void {
  const list = async (path: string): Promise<Body[]> =>
    (await shop.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).data

  it.each(Object.entries(STATES))('has %s in these states', async (path, { of, are }) => {
    expect(tally((await list(path)).map((one) => String(one[of])))).toEqual(are)
  })

  it('sells a few hundred orders in half a year: more from month to month, most on weekends, few in a quiet week', async () => {
    const { rows } = await sql<{ paid_at: string }>`select paid_at from orders where paid_at is not null`.execute(
      shop.db,
    )
    const daysAgo = rows.map(({ paid_at }) => (Date.now() - Date.parse(paid_at)) / 86_400_000)
    const between = (from: number, to: number) => daysAgo.filter((days) => days >= to && days < from).length
    expect(rows.length).toBeGreaterThan(400)
    expect(rows.length).toBeLessThan(700)
    expect(between(60, 0)).toBeGreaterThan(2 * between(180, 120))
    expect(between(77, 70)).toBeLessThan(0.7 * between(91, 84))
    expect(between(13, 6)).toBeGreaterThan(1.2 * between(27, 20))
    const weekend = rows.filter(({ paid_at }) => [0, 6].includes(new Date(paid_at).getUTCDay())).length
    expect(weekend / rows.length).toBeGreaterThan(2.2 / 7)
  })

  it('has subscriptions in every state, refunds, failed payments and payments that were recovered', async () => {
    const states = tally((await list('/subscriptions')).map(({ status }) => status))
    expect(Object.keys(states).sort()).toEqual(['active', 'canceled', 'past_due', 'paused', 'trialing', 'unpaid'])
    expect(states.active).toBeGreaterThan(15)
    expect((await list('/refunds')).length).toBeGreaterThan(4)
    expect((await list('/orders?status=failed')).length).toBeGreaterThan(10)
    const { rows } = await sql<{ recovered_by: string }>`
      select distinct recovered_by from orders where recovered_by is not null order by recovered_by`.execute(shop.db)
    expect(rows.map(({ recovered_by }) => recovered_by)).toEqual(['retry', 'second_try'])
  })

  it('refunds what was entered into its books, and verify finds nothing', async () => {
    const [order] = (await list('/orders?status=succeeded')).filter(
      ({ amount, channel }) => amount && channel === 'link',
    )
    expect(await shop.post('/refunds', { order: order!.id, amount: 100 })).toMatchObject({ status: 'succeeded' })
    const { references, storedFiles } = PRODUCT
    const jobs = PRODUCT.jobs.map(({ name }) => name)
    const { engine } = shop.running.app.database
    const moment = { engine, db: shop.db, damage: async () => [], close: async () => {} }
    const options = {
      directory: shop.running.dataDirectory,
      jobs,
      references,
      storedFiles,
      hashes: true,
      again: async () => moment,
    }
    expect((await verify(moment, options)).findings).toEqual([])
  })

  it('lives in the past until now', async () => {
    const account = await shop.get('/account')
    for (const path of [...Object.keys(STATES), '/orders', '/social_comments', '/experiences', '/blog_posts'])
      for (const { created_at } of await list(path)) {
        expect([path, created_at >= account.created_at]).toEqual([path, true])
        expect([path, created_at <= new Date().toISOString()]).toEqual([path, true])
      }
  })

  it('serves its files', async () => {
    const files = await list('/files')
    for (const { file_url, size, content_type } of files) {
      const answer = await fetch(file_url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, content_type])
      expect((await answer.arrayBuffer()).byteLength).toBe(size)
    }
    const galleries = (await list('/products')).flatMap(({ media_gallery }) => media_gallery)
    expect(galleries).toHaveLength(8)
  })

  it('has experiences of every type, and the secret ones are sold', async () => {
    const experiences = await list('/experiences')
    expect([...new Set(experiences.map(({ item_type }) => item_type))].sort()).toEqual(TYPES)
    for (const { access_type, products, name } of experiences)
      expect([name, products.length]).toEqual([name, access_type === 'open' ? 0 : 1])
  })

  it('has runs of tasks in several states, and says why', async () => {
    const runs = await list('/task_runs')
    const byTask = Map.groupBy(runs, ({ task_name }) => task_name)
    const states = [...byTask].map(([name, all]) => [name, all.map(({ status }) => status).sort()])
    expect(Object.fromEntries(states)).toEqual(RUNS)
    const said = (name: string, status: string) => byTask.get(name)!.find((run) => run.status === status)
    expect(said('Monday report', 'completed').summary).toMatch(/^In the last week: \d+ orders over /)
    expect(said('Open seats', 'completed').summary).toMatch(/^12 more seats on Saturday, \d+ are free/)
    expect(said('Sort enquiries of schools', 'needs_input')).toMatchObject({
      summary: 'Olivia Grant has 150 readers a year.\n',
      question: expect.stringContaining('1 customer.updated'),
    })
    expect(said('Count the old calendars', 'failed').error_message).toContain('No such product')
  })

  it('has answered comments, open ones and figures', async () => {
    const comments = await list('/social_comments')
    const posts = await list('/social_posts?expand=targets')
    expect(comments.length).toBeGreaterThanOrEqual(5)
    const targets: Body[] = posts.flatMap((post) => post.targets)
    expect(tally(targets.map(({ status }) => status))).toEqual({ published: 6, failed: 1, pending: 2 })
    const { metrics } = await shop.get('/social_analytics')
    expect(metrics).toMatchObject({ posts: 6, followers: expect.any(Number) })
    expect(metrics.impressions).toBeGreaterThan(1000)
  })
}

function tally(values: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))
}
