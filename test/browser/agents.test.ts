import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { lastMessageTo } from '../support/outbox.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, SCREENS } from './browser.ts'

const BASE = '/dashboard/my-shop'

inChromium('Agents, in a browser', (engine, openTab) => {
  const shop = new Shop()
  let person: Person
  let agent: Client
  let price: string

  beforeAll(async () => {
    await shop.open(engine, {})
    person = await signIn(shop.running)
    agent = await connected(await tokenOf(shop, ownerOf(shop), 'propose', 'Pricing agent'))
    const product = await shop.product({ name: 'Darjeeling' })
    price = (await shop.price(product.id, { name: 'Box', amount: 1200, currency: 'eur' })).id
  })
  afterAll(async () => {
    await agent?.close()
    await shop.close()
  })

  const connected = async (token: string): Promise<Client> => {
    const headers = { Authorization: `Bearer ${token}` }
    const client = new Client({ name: 'agent', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${shop.running.url}/mcp`), { requestInit: { headers } }),
    )
    return client
  }
  const runs = async (code: string): Promise<Body> =>
    (await agent.callTool({ name: 'code_execute', arguments: { code } })).structuredContent
  const propose = async (amount: number) =>
    (
      await runs(`patch("/price_variants/${price}", amount: ${amount})
post("/customers", email: "buyer${amount}@example.com", first_name: "Ada", notes: "Asked for it.")["id"]`)
    ).plan as string
  const open = (options = {}) => openTab(options, person)
  const go = (page: Page, path: string) => page.goto(shop.running.url + BASE + path)

  it('lets a person apply what an agent proposed, from the letter on', async () => {
    const plan = await propose(1320)
    const letter = await lastMessageTo(shop, 'owner@example.com')
    const address = /http:\S+\/plans\/\S+/.exec(letter)![0]
    expect(address).toContain(plan)
    const tab = await open({ viewport: { width: 1440, height: 900 } })
    await tab.page.goto(address)
    expect(await tab.page.locator('h1').innerText()).toBe('1 price is changed and 1 customer is created')
    expect(await tab.page.locator('.change-fields').first().innerText()).toContain('€12.00')
    expect((await shop.get(`/price_variants/${price}`)).amount).toBe(1200)
    await tab.page.getByLabel('Note').fill('Yes, please.')
    await tab.page.getByRole('button', { name: 'Apply' }).click()
    await tab.page.getByText('All of these changes were made.').waitFor()
    expect((await shop.get(`/price_variants/${price}`)).amount).toBe(1320)
    await tab.page.getByRole('link', { name: 'See its runs' }).click()
    await tab.page.waitForURL(/\/runs\?plan=/)
    await tab.page.locator('tbody tr').nth(1).waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
    expect((await runs(`# apply: ${plan}`)).error.message).toContain('Yes, please.')
  })

  it('shows a phone what a plan changes before it asks for the decision', async () => {
    const plan = await propose(1450)
    const { page, close } = await open({ viewport: { width: 390, height: 844 } })
    await go(page, `/plans/${plan}`)
    const top = async (part: string) => (await page.locator(part).first().boundingBox())!.y
    expect(await top('.change-group')).toBeLessThan(await top('form.decide'))
    await page.getByRole('link', { name: 'Go to your decision' }).click()
    await expect.poll(async () => await top('form.decide')).toBeLessThan(844)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await page.getByRole('link', { name: 'Go to your decision' }).isVisible()).toBe(false)
    await close()
  })

  it('shows runs as they come', async () => {
    const tab = await open()
    await go(tab.page, '/runs')
    const before = await tab.page.locator('tbody tr').count()
    await runs('# Counts the customers\nlist("/customers").size')
    await tab.page.getByText('Counts the customers').waitFor()
    expect(await tab.page.locator('tbody tr').count()).toBe(before + 1)
    await tab.page.getByText('Counts the customers').click()
    await tab.page.waitForURL(/\/runs\/run_/)
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it.each(SCREENS)('shows a plan without fault on $name', async ({ name, ...options }) => {
    const tab = await open(options)
    await go(tab.page, `/plans/${await propose(1500 + SCREENS.findIndex((one) => one.name === name))}`)
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(tab.page, `plan-${name}`)
    await tab.close()
  })

  it('has an editor that completes, colours and plans, and loads it nowhere else', async () => {
    const tab = await open({ viewport: { width: 1440, height: 900 } })
    const { page } = tab
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await go(page, '/plans')
    await page.waitForLoadState('networkidle')
    expect(loaded.filter((url) => /codemirror|lezer/.test(url))).toEqual([])
    await page.getByRole('link', { name: 'Playground' }).click()
    const editor = page.locator('.cm-content')
    await editor.waitFor()
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('get("/chec')
    await page.locator('.cm-tooltip-autocomplete li', { hasText: '/checkout_links' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('puts "hello"\npost("/tags", name: "from a browser")["name"]')
    expect(await page.locator('.cm-content .tok-string').count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('heading', { name: 'nothing was saved' }).waitFor()
    expect(await page.locator('#answer').innerText()).toContain('1 tag is created')
    expect(await editor.innerText()).toContain('from a browser')
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(page, 'playground')
    await page.getByRole('link', { name: 'View the plan' }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('None of these changes were made.').waitFor()
    expect(await shop.listed('/tags', 'name')).toEqual([])
    await tab.close()
  })

  it('works without scripts', async () => {
    const tab = await open({ javaScriptEnabled: false, viewport: { width: 320, height: 740 } })
    const { page } = tab
    await go(page, '/playground')
    await page.locator('textarea').fill('post("/tags", name: "without scripts")["name"]')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('link', { name: 'View the plan' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('All of these changes were made.').waitFor()
    expect(await shop.listed('/tags', 'name')).toEqual(['without scripts'])
    await tab.close()
  })
})
