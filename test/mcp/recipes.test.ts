import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Recipe, Recipes } from '../../src/contract/documents/descriptions/recipes.ts'
import { type Agent, startAgent } from './agent.ts'

const { all } = new Recipes()
const text = expect.any(String)
const number = expect.any(Number)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`))
const table = (columns: string) => expect.stringMatching(new RegExp(`^${columns.replaceAll('|', '\\|')}\n.+`))
const sold = { usd: expect.arrayContaining([expect.objectContaining({ net: number })]) }

/** Something of the result of each recipe. They run in the order of the guide, and each leaves its changes to the next. */
const RESULTS: Record<string, unknown> = {
  'Launch a product with a price and a code': { page: text, buy: text, code: 'INK10', until: time },
  'Raise a price for new buyers only': { was: 3500, now: 3900, buy: text },
  'Sell products as a bundle': { page: expect.stringContaining('paper-and-binding'), buy: text },
  'Archive products that do not sell': [],
  'Take a product off sale for a while': { name: 'Field Guide to Paper', status: 'archived' },
  'Give somebody free access to a product': { status: 'complete', order: id('ord'), total: 0 },
  'Attach a download to a product': { file: id('file'), upload_status: 'processing', prices: ['Seat'] },
  'Limit a code by number and date': { code: 'WELCOME10', status: 'scheduled', starts_at: time, redeem_by: time },
  'Make a checkout link with a discount': { share: expect.stringContaining('/l/cl_'), code: 'PRESS20' },
  'Win back customers with a code': expect.arrayContaining([expect.stringContaining('@')]),
  'Refund part of an order': {
    ...{ id: id('re'), amount: 500, currency: 'usd', status: 'succeeded', left_before: number },
    bought: expect.arrayContaining([text]),
  },
  'Find orders by an e-mail address': expect.arrayContaining([
    expect.objectContaining({ status: 'partially_refunded', bought: expect.arrayContaining([text]) }),
  ]),
  'Read every order without missing any': { usd: { orders: number, amount: number } },
  'Export orders as a table': table(
    'id|paid_at|customer.email|amount|amount_tax|amount_refunded|currency|country|status',
  ),
  'Export orders as CSV': table('"id","paid_at","amount","amount_tax","amount_refunded","currency","country","status"'),
  'See disputed orders': [],
  'List unpaid invoices with their age': table('number|status|email_address|amount|currency|payment_url|age|late'),
  'Send an invoice': { status: 'open', amount: 13_000, due_at: time, payment_url: text },
  'Cancel a subscription at the end of its period': [{ id: id('sub'), status: 'active', ends_at: time }],
  'Pause subscriptions until a day': { paused: expect.arrayContaining([id('sub')]), until: time },
  'Move a subscriber to another price': { customer: id('cus'), ends_at: time, pay_here: text },
  'See failed payments': expect.arrayContaining([expect.objectContaining({ status: 'past_due', amount_due: 3500 })]),
  'Charge a failed renewal again': { id: id('sub'), status: 'past_due', amount_due: 3500 },
  'Tag everybody who bought a product': { product: 'Field Guide to Paper', tagged: number },
  'List customers by what they spent': table('email|name|orders_count|total_spend|created_at'),
  'Add customers from a list': [
    ['ada@example.com', id('cus')],
    ['grace@example.com', id('cus')],
    ['not-an-address', 'Email is not a valid e-mail address'],
  ],
  'Undo what an import made': expect.any(Array),
  'Change many rows in the background': { background: id('bg'), rows: number, done: 200 },
  'Make a form that tags and notifies': { url: expect.stringContaining('/forms/'), tags: [id('tag')] },
  'Show the revenue of each month': sold,
  'Show the best-selling products': { usd: expect.arrayContaining([expect.objectContaining({ units: number })]) },
  'Mail a weekly report': time,
  'Check storage and credits': { credits_left: 1000, files_gb: 0 },
  'Schedule a post on several networks at a local time': { status: 'scheduled', scheduled_at: time },
  'Announce a scheduled blog post': 'No blog post is scheduled.',
  'Run a program whenever an order is paid': { status: 'completed' },
  'Add a webhook endpoint and test it': { secret: expect.stringMatching(/^whsec_/), test: text },
  'Send failed webhook deliveries again': { failed: 0, again: [] },
}

let agent: Agent
beforeAll(async () => {
  agent = await startAgent({ settings: { DEMO_DATA: 'shop' } })
})
afterAll(() => agent.close())

describe('the recipes', () => {
  it('are found by each of the phrases that people use', () => {
    const recipes = new Recipes()
    const phrases = all.flatMap(({ title, also }) => [title, ...also].map((phrase) => ({ title, phrase })))
    const missed = phrases.filter(({ title, phrase }) => recipes.find(phrase, [])[0]?.title !== title)
    expect(missed).toEqual([])
  })

  it('are at least thirty, with at most eight lines and other words for the job', () => {
    expect(all.length).toBeGreaterThanOrEqual(30)
    for (const { title, program, also } of all)
      expect([title, program.split('\n').length <= 8, also.length > 1]).toEqual([title, true, true])
  })

  it('are shown whole by their title, and named by the operations that they call', async () => {
    const shown = async (what: string) =>
      (await agent.search(`describe(${JSON.stringify(what)})`)).structuredContent.result
    const titles = (await shown('recipes')) as string
    for (const { title } of all) expect(titles).toContain(`\n${title}`)
    const { title, program, note } = all.find((one) => one.title.startsWith('Refund'))!
    const whole = (await shown('refund part of an order')) as string
    expect(whole.slice(whole.indexOf('\n') + 1)).toMatch(/\n## POST \/refunds \{order\*.*$/)
    expect(whole).toContain(`\nRecipe: ${title}\n${program}\n${note}\n`)
    expect(await shown('pay 5 dollars back to a buyer')).toMatch(/^(?:Key: .*\n)?Recipe: Refund part of an order\n/)
    expect(await shown('POST /refunds')).toContain('\nRecipe: describe("Refund part of an order")')
  })
})

describe('on the demo shop', () => {
  it.each(all)('$title', async ({ title, program }: Recipe) => {
    const { structuredContent } = await agent.execute(program)
    expect(structuredContent).not.toHaveProperty('error')
    const { result } = structuredContent
    const isPart = typeof result === 'object' && !Array.isArray(result)
    expect(result).toEqual(isPart ? expect.objectContaining(RESULTS[title] as object) : RESULTS[title])
  })
})
