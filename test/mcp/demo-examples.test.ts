import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines } from '../support/app.ts'
import { startSite } from '../support/local-site.ts'
import { type Agent, startAgent } from './agent.ts'

const directory = new URL('../../examples/', import.meta.url)

describe.each(gateEngines)('the examples that work on the demo shop, on $name', ({ name: engine, available }) => {
  let agent: Agent
  beforeAll(async () => {
    if (available) agent = await startAgent({ engine, settings: { DEMO_DATA: 'shop' } })
  })
  afterAll(() => agent?.close())

  const run = async (name: string, change = (code: string) => code) => {
    const code = change(readFileSync(new URL(`${name}.rb`, directory), 'utf8'))
    const { isError, structuredContent } = await agent.execute(code)
    expect(structuredContent).not.toHaveProperty('error')
    expect(isError).toBeUndefined()
    return structuredContent
  }
  const resultOf = async (name: string) => (await run(name)).result

  it.skipIf(!available)('announce-product plans one post on all connected accounts', async () => {
    expect(await resultOf('announce-product')).toMatchObject({
      on: ['x', 'bluesky', 'threads'],
      left_out: {},
      new: true,
    })
    expect(await resultOf('announce-product')).toMatchObject({ planned: expect.stringMatching(/T09:/), new: false })
    const { body } = await agent.app.api('GET', '/social_posts?status=scheduled&expand=media')
    const [planned] = body.data
    expect(planned).toMatchObject({ media: [{ filename: 'field-guide.png' }], link_url: expect.any(String) })
  })

  it.skipIf(!available)('answer-comments answers what it can, once', async () => {
    const first = (await resultOf('answer-comments')) as { answered: string[]; open: object[] }
    const second = (await resultOf('answer-comments')) as typeof first
    expect(second).toEqual({ answered: [], open: first.open })
  })

  it.skipIf(!available)('lead-report counts what the forms brought', async () => {
    expect(await resultOf('lead-report')).toMatchObject([
      { form: 'Which birds for the calendar?', status: 'archived', submissions: 0 },
      { form: 'Teach with our guide', submissions: 2 },
      {
        form: 'Printing day for beginners',
        buyers: ['ines.costa@example.com', 'leo.brandt@example.com'],
        choices: { 'Which day suits you?': { 'First Saturday of the month': 2, 'Third Saturday of the month': 1 } },
      },
      { form: 'A letter from the studio', submissions: 4, unconfirmed: ['noah.fischer@example.com'] },
    ])
  })

  it.skipIf(!available)('workshop-form opens one form', async () => {
    const first = (await resultOf('workshop-form')) as { sign_up_at: string }
    expect(first).toMatchObject({ fields: { '1': 'Email', '3': 'Which Saturday?' }, new: true })
    expect((await fetch(first.sign_up_at)).status).toBe(200)
    expect(await resultOf('workshop-form')).toEqual({ sign_up_at: first.sign_up_at, signed_up: 0, new: false })
  })

  it.skipIf(!available)('map-products makes drafts of pages that the shop does not have', async () => {
    const pages = ['/products/marbled-paper', '/products/field-guide-to-paper', '/about']
    const site = await startSite({ '/': pages.map((page) => `<a href="${page}">x</a>`).join('') })
    const mapped = await run('map-products', (code) => code.replace('https://example.com', site.url))
    await site.close()
    expect(mapped.result).toEqual({ found: 4, kinds: { pages: 2, products: 2 }, drafts: ['marbled-paper'] })
    const { body } = await agent.app.api('GET', '/products/marbled-paper')
    expect(body).toMatchObject({ name: 'Marbled Paper', status: 'draft' })
  })

  it.skipIf(!available)('update-terms shows the change of a legal page', async () => {
    const shown = await run('update-terms')
    expect(shown).toMatchObject({ dry_run: true, changes: { 'legal_page.updated': { count: 1 } } })
    const { body } = await agent.app.api('GET', '/legal_pages/refund-policy')
    expect(body.content).not.toContain('Holidays')
  })

  it.skipIf(!available)('give-access gives buyers of a product a download', async () => {
    const given = { product: 'Printing Day at the Press', files: ['Grid templates (PDF)'] }
    expect(await resultOf('give-access')).toMatchObject({ ...given, prices_changed: ['Seat'] })
    expect(await resultOf('give-access')).toMatchObject({ ...given, prices_changed: [] })
  })

  it.skipIf(!available)('social-week compares two weeks and names what failed', async () => {
    expect(await resultOf('social-week')).toMatchObject({
      figures: { posts: [5, 1], impressions: [expect.any(Number), expect.any(Number)] },
      failed: [{ on: 'x', because: expect.stringContaining('refused') }],
      best_time: expect.stringMatching(/^weekday [1-7] at \d+:00$/),
    })
  })
  it.skipIf(!available)('waiting-runs lists what waits for people and agents', async () => {
    const waiting = (await resultOf('waiting-runs')) as Record<string, { task: string; question?: string }[]>
    const tasks = Object.entries(waiting).map(([kind, runs]) => [kind, runs.map(({ task }) => task).sort()])
    expect(Object.fromEntries(tasks)).toEqual({
      to_answer: ['Plan the holiday posts', 'Sort enquiries of schools'],
      for_an_agent: ['Draft the studio letter'],
      failed: ['Count the old calendars'],
    })
    expect(waiting.to_answer!.map(({ question }) => question)).toContainEqual(
      expect.stringMatching(/^Apply the plan plan_\w+\? It makes these changes: /),
    )
  })
})
