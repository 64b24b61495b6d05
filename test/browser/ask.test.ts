import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Person, signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot } from './browser.ts'
import { says } from './steps.ts'

const BASE = '/dashboard/my-shop'
const WAYS = [
  { name: 'wide', javaScriptEnabled: true, viewport: { width: 1280, height: 900 } },
  {
    name: 'on a phone in the dark',
    javaScriptEnabled: true,
    viewport: { width: 390, height: 780 },
    colorScheme: 'dark' as const,
  },
  { name: 'without scripts', javaScriptEnabled: false, viewport: { width: 390, height: 780 } },
]
const EARNED = `[{ product: "Field Guide", net_usd: 160.5, orders: 4 }, { product: "Printing Day", net_usd: 98, orders: 2 },
  { product: "Membership", net_usd: 240, orders: 6 }]`

inChromium('A question in the dashboard', (engine, open) => {
  const shop = new Shop()
  let model: ModelServer
  let person: Person

  beforeAll(async () => {
    model = await startModelServer()
    const at = { MODEL_API_KEY: model.key, MODEL_BASE_URL: model.url }
    await shop.open(engine, { MODEL_PROVIDER: 'anthropic', MODEL_ID: 'm', ...at })
    person = await signIn(shop.running)
  })
  afterAll(async () => {
    await shop.close()
    await model.close()
  })

  it.each(WAYS)('is answered with a drawing, a table and its program, $name', async ({ name, ...options }) => {
    model.script = ({ results }) =>
      results.length === 0
        ? { call: 'code_execute', with: { code: EARNED } }
        : { say: 'In October you earned $498.50, most of it with memberships.' }
    const { page, complaints, close } = await open(options, person)
    await page.goto(`${shop.running.url}${BASE}/ask`)
    await page.fill('[name=question]', 'What did I earn in October by product?')
    await page.click('main button:text-is("Ask")')
    await says(page, 'In October you earned $498.50', 'Field Guide')
    await page.click('text=The program behind it')
    expect([await isTooWide(page), options.javaScriptEnabled ? await axeProblems(page) : []]).toEqual([false, []])
    await keepScreenshot(page, `ask ${name}`)
    expect(complaints).toEqual([])
    await close()
  })

  it('becomes a plan where something is to change', async () => {
    model.script = ({ results }) =>
      results.length === 0
        ? { call: 'code_execute', with: { code: 'post("/tags", name: "Sunday")["id"]' } }
        : { say: 'This makes the tag.' }
    const { page, close } = await open({}, person)
    await page.goto(`${shop.running.url}${BASE}/ask`)
    await page.fill('[name=question]', 'Make a tag for Sunday.')
    await page.click('main button:text-is("Ask")')
    await page.click('text=See what would change')
    await says(page, 'Sunday', 'Apply')
    await close()
  })
})
