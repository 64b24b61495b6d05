import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { some } from '../support/depth.ts'
import { PASSWORD, type Person, signIn } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, type Tab } from './browser.ts'
import { enterPassword } from './steps.ts'

const BASE = '/dashboard/my-shop'
const SCREENS = [
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 320, height: 740 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 320, height: 740 } },
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const

inChromium('In a browser', (name, openTab) => {
  const shop = new Shop()
  let person: Person
  let receiver: Receiver
  let tab: Tab

  beforeAll(async () => {
    await shop.open(name, { WEBHOOK_RETRY_GAPS: '1' })
    receiver = await startReceiver()
    person = await signIn(shop.running)
  })
  afterAll(async () => {
    await receiver?.close()
    await shop.close()
  })

  const opened = async (options: object = {}): Promise<Tab> => {
    tab = await openTab(options, person)
    return tab
  }
  const go = (path: string) => tab.page.goto(shop.running.url + path, { waitUntil: 'load' })
  const faultless = async () => expect(await faultsOf(tab)).toEqual([])

  it('a developer adds an endpoint, sees why a delivery failed, resends it and sees it arrive', async () => {
    receiver.answers.set('/hook', 500)
    const { page, close } = await opened()
    await go(`${BASE}/developers/webhooks/new`)
    await page.getByLabel('Address').fill(`${receiver.url}/hook`)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByText('it is not shown again').waitFor()
    expect(await page.getByLabel('The signing secret').innerText()).toMatch(/^whsec_/)
    await faultless()
    await page.getByRole('link', { name: 'Done, I have copied it' }).click()
    await shop.tag()
    await page.getByText('The receiver failed').first().waitFor()
    await faultless()
    await page.locator('tr', { hasText: 'tag.created' }).getByRole('link', { name: 'tag.created' }).click()
    await page.getByText('Attempt 2').waitFor()
    await page.locator('.badge', { hasText: 'Failed' }).first().waitFor()
    await faultless()
    receiver.answers.set('/hook', 200)
    await page.getByRole('button', { name: /^(Resend|Send now)/ }).click()
    await page.getByText('It is being sent again.').waitFor()
    await page.locator('.badge', { hasText: 'Delivered' }).waitFor()
    await faultless()
    expect(receiver.at('/hook').length).toBeGreaterThan(2)
    await close()
  })

  it('makes a token, copies it, uses it, sees its use, and deletes it', async () => {
    const { page, close } = await opened({ permissions: ['clipboard-read', 'clipboard-write'] })
    await go(`${BASE}/developers/tokens`)
    await page.getByLabel('Name').fill('Browser’s agent')
    await page.getByLabel('Write').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await page.getByLabel('Value of the token').innerText()).trim()
    expect(token).toMatch(/^shpw_/)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
    await faultless()
    expect((await shop.api('GET', '/me', undefined, { token })).status).toBe(200)
    const row = page.locator('tr', { hasText: 'Browser’s agent' })
    await expect
      .poll(async () => {
        await go(`${BASE}/developers/tokens`)
        return row.innerText()
      })
      .not.toContain('Never')
    expect(await page.content()).not.toContain(token)
    await row.getByRole('link', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete this token' }).click()
    await page.getByText('Deleted.').waitFor()
    expect((await shop.api('GET', '/me', undefined, { token })).status).toBe(401)
    await close()
  })

  it('without scripts does the same with links and forms', async () => {
    const { page, close } = await opened({ javaScriptEnabled: false })
    await go(`${BASE}/developers/tokens`)
    await page.getByLabel('Name').fill('Plain')
    await page.getByRole('button', { name: 'Create token' }).click()
    expect(await page.getByLabel('Value of the token').innerText()).toMatch(/^shpw_/)
    await go(`${BASE}/settings/test-accounts`)
    await page.getByLabel('Name of the shop').fill('Plain rehearsal')
    await page.getByRole('button', { name: 'Open test account' }).click()
    await page.getByLabel('Move forward by').fill('3')
    await page.getByRole('button', { name: /^Move/ }).click()
    await page.getByText('The clock is being moved.').waitFor()
    await close()
  })

  it('exports everything and downloads it', async () => {
    const { page, close } = await opened()
    await go(`${BASE}/settings/export`)
    await page.getByRole('button', { name: 'Export everything' }).click()
    const link = page.getByRole('link', { name: /^Download/ })
    await link.waitFor()
    await page.getByRole('button', { name: 'Export everything' }).waitFor()
    await faultless()
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect((await readFile(await download.path())).subarray(0, 2).toString()).toBe('PK')
    await close()
  })

  it('deletes a test account only when its subdomain is typed', async () => {
    const { page, close } = await opened()
    await go(`${BASE}/settings/test-accounts`)
    await page.getByLabel('Name of the shop').fill('Short lived')
    await page.getByRole('button', { name: 'Open test account' }).click()
    await page.getByRole('link', { name: 'Delete Short lived' }).click()
    await page.getByLabel('Type').fill('wrong')
    await page.getByRole('button', { name: 'Delete this test account' }).click()
    await page.getByRole('alert').waitFor()
    await faultless()
    await page.getByLabel('Type').fill('short-lived')
    await page.getByRole('button', { name: 'Delete this test account' }).click()
    await page.getByText('Deleted.').waitFor()
    expect(await page.getByText('Short lived').count()).toBe(0)
    await close()
  })

  it('deletes a whole account only when its subdomain is typed, and leaves the others', async () => {
    const { token, userId } = await shop.running.another('closing-down')
    const leaver = await signIn(shop.running, userId)
    tab = await openTab({}, leaver)
    const { page, close } = tab
    await go('/dashboard/closing-down/settings')
    await page.getByRole('link', { name: 'Deletion' }).click()
    await page.getByLabel('Type').fill('my-shop')
    await page.getByRole('button', { name: 'Permanently delete this account' }).click()
    await page.getByRole('alert').getByText('Type closing-down to delete the account').waitFor()
    await faultless()
    expect((await shop.api('GET', '/account', undefined, { token })).status).toBe(200)
    await page.getByLabel('Type').fill('closing-down')
    await page.getByRole('button', { name: 'Permanently delete this account' }).click()
    await page.getByRole('heading', { name: /is deleted$/ }).waitFor()
    await faultless()
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await page.waitForURL(/\/sign-in/)
    expect((await shop.api('GET', '/account', undefined, { token })).status).toBe(401)
    expect((await shop.get('/account')).subdomain).toBe('my-shop')
    await enterPassword(page, { email: 'closing-down@example.com', password: PASSWORD })
    await page.getByText('The e-mail address or the password is wrong.').first().waitFor()
    await close()
  })

  const PAGES = [
    ...['tokens', 'connections', 'webhooks', 'webhooks/new', 'events', 'requests'].map((one) => `/developers/${one}`),
    ...['account', 'members', 'payments', 'email', 'x402', 'credits', 'test-accounts', 'export', 'deletion'].map(
      (one) => `/settings/${one}`,
    ),
  ]

  it.each(some(SCREENS, 1))('every page is without fault: $name', async ({ name: screen, ...options }) => {
    const { page, close } = await opened(options)
    await shop.api('GET', '/nowhere')
    for (const path of PAGES) {
      await go(BASE + path)
      expect([path, await faultsOf(tab)]).toEqual([path, []])
      if (name === 'sqlite') await keepScreenshot(page, `${path.slice(1).replaceAll('/', '-')}-${screen}`)
    }
    for (const list of ['webhooks', 'events', 'requests']) {
      await go(`${BASE}/developers/${list}`)
      await page.locator('tbody a').first().click()
      await page.locator('nav.crumbs').waitFor()
      expect([list, await faultsOf(tab)]).toEqual([list, []])
      if (name === 'sqlite') await keepScreenshot(page, `developers-${list}-one-${screen}`)
    }
    await go(`${BASE}/developers/webhooks`)
    await page.locator('tbody a').first().click()
    await page.getByRole('link', { name: 'tag.created' }).first().click()
    await page.getByText('Attempt 1').waitFor()
    await faultless()
    if (name === 'sqlite') await keepScreenshot(page, `developers-delivery-${screen}`)
    await close()
  })
})
