import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GENERATIONS } from '../connect/generations.ts'
import { Remembering } from '../connect/remembering.ts'
import { freshDirectory, freshPostgresUrl } from '../database/engines.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { environmentOf, type Server, startServer } from '../support/server.ts'
import type { Body } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, type Tab } from './browser.ts'
import { OWNER, openGroup, says, setPassword, signIn } from './steps.ts'

const SCREEN = { viewport: { width: 1440, height: 900 } }

inChromium('A shop, from its first start to a plan that is applied', (engine, open) => {
  let server: Server
  let mails: MailServer
  let tab: Tab
  const undo: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const { directory, remove } = await freshDirectory()
    const database = engine === 'postgres' ? await freshPostgresUrl() : null
    mails = await startMailServer()
    const mail = { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' }
    server = await startServer(environmentOf(directory, { ...mail, DATABASE_URL: database?.url }))
    undo.push(remove, async () => database?.remove(), mails.close)
    tab = await open(SCREEN)
  })
  afterAll(async () => {
    await tab?.close()
    const ended = await server?.stop()
    for (const step of undo) await step()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('is set up by its owner, whose agent proposes what the owner then applies', async () => {
    const { page } = tab
    const [link = ''] = /http:\S+\/set-password\/\S+/.exec(server.printed())!
    const { origin } = new URL(link)
    await setPassword(page, link, OWNER)
    await signOut(page)
    await signIn(page, origin)
    const token = await makeToken(page)
    const { price, tag } = await stocked()
    const plan = await proposed(
      token,
      `patch("/price_variants/${price}", amount: 1350)
delete("/tags/${tag}")
post("/customers", email: "grace@example.com", first_name: "Grace")["id"]`,
    )
    expect(await seen(price, tag)).toEqual([1200, 200, []])

    const letter = (await mails.until(2)).find(({ text }) => text?.includes('/plans/'))
    expect(letter!.envelope.to).toEqual([OWNER.email])
    const [address = ''] = /http:\S+\/plans\/\S+/.exec(letter!.text!)!
    expect(address).toContain(plan)
    await page.goto(address)
    await readAsDiff(page)
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(page, `first-plan-${engine}`)
    await page.getByLabel('Note').fill('Fair enough.')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('All of these changes were made.').waitFor()

    expect(await seen(price, tag)).toEqual([1350, 404, ['grace@example.com']])
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await page.getByRole('link', { name: 'Grace' }).waitFor()
    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByRole('link', { name: 'Darjeeling' }).click()
    await says(page, 'Box', '€13.50')
    await openGroup(page, 'Agents')
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    const run = page.locator('tr', { hasText: '1 tag deleted, 1 price changed and 1 customer created' })
    await run.getByRole('link').click()
    await says(page, 'All of its changes', 'The plan it applied', 'What it changed')
    expect(await faultsOf(tab)).toEqual([])
    expect(await told(token, plan)).toContain('Fair enough.')
  })

  async function signOut(page: Page): Promise<void> {
    await page.locator('.menu summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in$/)
  }

  /** A token that may propose, as its page shows it once. */
  async function makeToken(page: Page): Promise<string> {
    await openGroup(page, 'Account')
    await page.getByRole('link', { name: 'Developers', exact: true }).click()
    await page.getByLabel('Name').fill('Pricing agent')
    expect(await page.getByLabel('Propose').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await page.getByLabel('Value of the token').innerText()).trim()
    await page.getByRole('link', { name: 'Done, I have copied it' }).click()
    await page.locator('tr', { hasText: 'Pricing agent' }).getByText('Propose').waitFor()
    expect(await page.content()).not.toContain(token)
    return token
  }

  /** What the shop has before, made with the token that the first start printed. */
  async function stocked(): Promise<{ price: string; tag: string }> {
    const make = async (path: string, body: object): Promise<string> => (await server.api('POST', path, body)).body.id
    const product_id = await make('/products', { name: 'Darjeeling', status: 'active' })
    const price = await make('/price_variants', { product_id, name: 'Box', amount: 1200, currency: 'eur' })
    return { price, tag: await make('/tags', { name: 'Outlet' }) }
  }

  /** What the API says of what the plan is about. */
  async function seen(price: string, tag: string): Promise<unknown[]> {
    const get = (path: string) => server.api('GET', path)
    const customers = (await get('/customers')).body.data.map(({ email }: Body) => email)
    return [(await get(`/price_variants/${price}`)).body.amount, (await get(`/tags/${tag}`)).status, customers]
  }

  async function proposed(token: string, code: string): Promise<string> {
    return (await executed('second', token, code)).plan
  }

  /** What an agent is told that asks for the plan after the decision. */
  async function told(token: string, plan: string): Promise<string> {
    return (await executed('first', token, `# apply: ${plan}`)).error.message
  }

  async function executed(generation: string, token: string, code: string): Promise<Body> {
    const provider = new Remembering()
    provider.headers = { authorization: `Bearer ${token}` }
    const { connect } = GENERATIONS.find((one) => one.generation === generation)!
    const client = await connect(`${server.url}/mcp`, provider)
    const answer = await client.callTool({ name: 'code_execute', arguments: { code } })
    await client.close()
    return answer.structuredContent
  }
})

/** The page says what is deleted, what changes from what to what, and what is created. */
async function readAsDiff(page: Page): Promise<void> {
  const group = async (name: string) => (await page.getByRole('region', { name }).innerText()).replaceAll(/\s+/g, ' ')
  expect(await page.locator('h1').innerText()).toBe('1 tag is deleted, 1 price is changed and 1 customer is created')
  expect(await group('1 tag is deleted')).toContain('Outlet permanently deleted')
  expect(await group('1 price is changed')).toContain('Box of Darjeeling')
  expect(await group('1 price is changed')).toContain('from €12.00 → to €13.50 +€1.50, +12.5%')
  expect(await group('1 customer is created')).toContain('grace@example.com')
}
