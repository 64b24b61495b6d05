import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dashboard, dashboardOf, ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { type Body, Shop } from '../support/shop.ts'
import { type AppHost, openInHost } from './app-host.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot, SCREENS, type Tab } from './browser.ts'

const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const VIEW = 'shopwright/view'
const HOSTILE = `<img src="http://evil.test/" onerror="document.title='owned'"><b>Tea`
const SCRIPT = `</template><script>document.title='owned'</script>`
/** The colours of some client. */
const VARIABLES = { '--color-text-primary': 'rgb(20, 30, 40)', '--color-background-primary': 'rgb(250, 249, 245)' }

inChromium('A plan in the frame of a client', (engine, openTab) => {
  const shop = new Shop()
  const clients: Client[] = []
  const tabs: Tab[] = []
  let proposing: Client
  let writing: Client
  let page: string
  let dashboard: Dashboard
  let product: Body
  let prices: Body[]

  beforeAll(async () => {
    await shop.open(engine, {})
    dashboard = dashboardOf(shop, ownerOf(shop))
    proposing = await connected('propose')
    writing = await connected('write')
    product = await shop.product({ name: 'Darjeeling' })
    prices = [
      await shop.price(product.id, { name: 'Box', amount: 1200, currency: 'eur' }),
      await shop.price(product.id, { name: 'Tin', amount: 2400, currency: 'eur' }),
    ]
    const { tools } = await proposing.listTools()
    const { _meta }: Body = tools.find(({ name }) => name === 'code_execute')
    const { contents }: Body = await proposing.readResource({ uri: _meta.ui.resourceUri })
    page = contents[0].text
  })
  afterAll(async () => {
    for (const tab of tabs) await tab.close()
    for (const client of clients) await client.close()
    await shop.close()
  })

  const connected = async (right: 'propose' | 'write'): Promise<Client> => {
    const token = await tokenOf(shop, ownerOf(shop), right)
    const client = new Client({ name: 'client', version: '1.0.0' }, { capabilities: CAPABILITIES })
    clients.push(client)
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${shop.running.url}/mcp`), { requestInit }))
    return client
  }
  const run = (code: string, client = proposing) => client.callTool({ name: 'code_execute', arguments: { code } })
  const planOf = ({ structuredContent }: CallToolResult): string => (structuredContent as Body).plan
  const decide = (plan: string, how: 'apply' | 'reject', note: string | null = null) =>
    dashboard('POST', `/plans/${plan}/${how}`, { body: { note } })
  const raise = (by: number) =>
    `${prices.map(({ id }) => `patch("/price_variants/${id}", amount: get("/price_variants/${id}")["amount"] + ${by})`).join('\n')}
post("/tags", name: "Raised by ${by}")
patch("/products/${product.id}", description: "First flush by ${by}, from a garden at two thousand metres.")["id"]`

  interface Opened extends AppHost {
    tab: Tab
  }
  const open = async (
    context: McpUiHostContext = {},
    options: BrowserContextOptions = {},
    refusesLinks = false,
  ): Promise<Opened> => {
    const tab = await openTab({ viewport: { width: 760, height: 900 }, ...options })
    tabs.push(tab)
    return { ...(await openInHost(tab, page, { context, refusesLinks })), tab }
  }
  const shown = async (result: CallToolResult, name?: string): Promise<string> => {
    const host = await open({}, { viewport: { width: 620, height: 900 } })
    await host.show(result)
    await host.frame.locator('[aria-busy=false]').waitFor()
    if (name) await keepScreenshot(host.tab.page, `plan-frame-${name}`)
    return host.text()
  }

  it('shows what changes, and asks the client to open the page of the decision', async () => {
    const result = await run(raise(100))
    const host = await open()
    await host.show(result)
    await host.frame.getByRole('heading', { level: 1 }).waitFor()
    const text = await host.text()
    for (const words of ['2 prices are changed', '€12.00', '€13.00', '+8.3%', '1 tag is created', 'Waiting'])
      expect(text).toContain(words)
    expect(text).toMatch(/Expires in 3 days|Expires in 7\d hours/)
    expect(text).not.toContain('# apply')
    await host.frame.getByRole('link', { name: 'Decide in the dashboard' }).focus()
    await host.tab.page.keyboard.press('Enter')
    await expect.poll(() => host.opened).toEqual([`${shop.running.url}/dashboard/my-shop/plans/${planOf(result)}`])
    await host.frame.getByRole('link', { name: 'Darjeeling' }).first().click()
    await expect.poll(() => host.opened.at(-1)).toBe(`${shop.running.url}/dashboard/my-shop/products/${product.id}`)
    expect((await shop.get(`/price_variants/${prices[0]!.id}`)).amount).toBe(1200)
    expect([host.requests, host.tab.complaints, host.tab.page.url()]).toEqual([[], [], 'http://client.test/'])
  })

  it('says what became of the plan', async () => {
    const rejected = planOf(await run(raise(101)))
    await decide(rejected, 'reject', 'Not <before> May.')
    const after = await shown(await run(`# apply: ${rejected}`), 'rejected')
    for (const words of ['Rejected', 'Not <before> May.', 'None of these changes were made.', 'Open in the dashboard'])
      expect(after).toContain(words)
    const open = planOf(await run('post("/tags", name: "Waits")["id"]'))
    expect(await shown(await run(`# apply: ${open}`))).toContain('Waiting')
    const own = planOf(await run('# dry_run: true\npost("/tags", name: "Applied")["id"]', writing))
    const applied = await shown(await run(`# apply: ${own}`, writing))
    expect(applied).toContain('Applied')
    expect(applied).toContain('All of these changes were made.')
  })

  it('says where the shop differs from what was planned', async () => {
    const plan = planOf(await run(`# dry_run: true\n${raise(102)}`, writing))
    await shop.patch(`/price_variants/${prices[0]!.id}`, { amount: 1250 })
    const text = await shown(await run(`# apply: ${plan}`, writing), 'outdated')
    for (const words of ['Outdated', 'Nothing was applied', '€13.52', 'Open in the dashboard'])
      expect(text).toContain(words)
    expect(text).not.toContain('dry_run')
    await shop.patch(`/price_variants/${prices[0]!.id}`, { amount: 1200 })
  })

  it('says over how many rows a program goes on in the background', async () => {
    for (const name of ['Ada', 'Bo', 'Cy']) await shop.customer({ name })
    const code = `# background: true
each_batch(list("/customers"), of: 1) { |rows| rows.each { |row| patch("/customers/#{row["id"]}", metadata: { seen: "yes" }) } }`
    expect(await shown(await run(code))).toContain('This is the next batch of a program over 3 rows')
  })

  it('says what follows the commit, in one line', async () => {
    const { email } = await shop.customer({ name: 'Dee' })
    const letter = `post("/emails", to: "${email}", subject: "Hi", text: "Hello")["id"]`
    expect(await shown(await run(letter), 'following')).toContain(`Once applied: Sends 1 e-mail to ${email}.`)
  })

  it('tells calls without a plan in one line, and shows nobody the plan of another', async () => {
    expect(await shown(await run('post("/tags", name: "At once")["id"]', writing), 'run')).toBe('Done 1 tag created')
    expect(await shown(await run('get("/account")["name"]'))).toBe('Done Nothing was changed.')
    expect(await shown(await run('raise "no"'))).toBe('Failed Nothing was changed.')
    const plan = planOf(await run('post("/tags", name: "Hidden")["id"]'))
    expect(await shown(await run(`# apply: ${plan}`, writing))).toBe('Failed Nothing was changed.')
  })

  it('shows what strangers wrote as they wrote it', async () => {
    const result = await run(`post("/products", name: ${JSON.stringify(HOSTILE)})
post("/customers", email: "eve@example.com", metadata: { note: ${JSON.stringify(SCRIPT)} }, "<i>x": 1)["id"]`)
    const host = await open()
    await host.show(result)
    await host.frame.getByRole('heading', { level: 1 }).waitFor()
    const text = await host.text()
    for (const words of [HOSTILE, SCRIPT, '<i>x']) expect(text).toContain(words)
    expect(await host.frame.locator('img, main script, main b, main i').count()).toBe(0)
    expect([await host.frame.locator('title').innerText(), host.requests, host.tab.complaints]).toEqual([
      'Plan',
      [],
      [],
    ])
  })

  it('lets no markup in that could do something', async () => {
    const host = await open()
    const view = `<h1 onclick="document.title='owned'" style="color: red">Plan</h1>${SCRIPT}${HOSTILE}</b>
<a href="javascript:document.title='owned'">Here</a><iframe src="http://evil.test/"></iframe><form><button>Go</button></form>`
    await host.show({ content: [], _meta: { [VIEW]: view } })
    await host.frame.getByRole('heading').click()
    await host.frame.getByText('Here').click()
    expect(await host.frame.locator('main').innerHTML()).toBe('<h1>Plan</h1><b>Tea</b>\n<a>Here</a>')
    expect([await host.frame.locator('title').innerText(), host.requests, host.opened]).toEqual(['Plan', [], []])
  })

  it('says so where the client leaves out what it shows, or opens nothing', async () => {
    const host = await open({}, {}, true)
    await host.show({ content: [{ type: 'text', text: '{}' }] })
    await host.frame.getByRole('link', { name: 'the dashboard' }).click()
    await host.frame.getByText(`The page was not opened. Its address is ${shop.running.url}/dashboard`).waitFor()
  })

  it('looks as the client does, is as high as what it shows, and ends when it is told', async () => {
    const host = await open({ theme: 'dark' })
    const { page: clientPage } = host.tab
    const colour = () => clientPage.frames()[1]!.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const height = async () => (await clientPage.locator('iframe').boundingBox())!.height
    expect(await colour()).toBe('rgb(21, 23, 27)')
    host.bridge.setHostContext({ theme: 'light' })
    await expect.poll(colour).toBe('rgb(255, 255, 255)')
    host.bridge.setHostContext({ theme: 'light', styles: { variables: VARIABLES as never } })
    await expect.poll(colour).toBe('rgb(250, 249, 245)')
    const before = await height()
    await host.show(await run(raise(103)))
    await expect.poll(height).toBeGreaterThan(before + 300)
    const [shownHeight, inner] = [await height(), await host.frame.locator('body').boundingBox()]
    expect(Math.ceil(inner!.height)).toBe(shownHeight)
    expect(await host.bridge.teardownResource({})).toEqual({})
  })

  it.each(SCREENS)('has no fault on $name', async ({ name, colorScheme, viewport }) => {
    const host = await open({ theme: colorScheme }, { colorScheme, viewport })
    await host.show(await run(raise(200 + SCREENS.findIndex((one) => one.name === name))))
    await host.frame.getByRole('heading', { level: 1 }).waitFor()
    const frame = host.tab.page.frames()[1]!
    expect([await axeProblems(frame), await isTooWide(frame), host.tab.complaints]).toEqual([[], false, []])
    await keepScreenshot(host.tab.page, `plan-frame-${name}`)
  })

  it('is one small file', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(60 * 1024)
  })
})
