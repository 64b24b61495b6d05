import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Network } from '../providers/social/network.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, SCREENS } from './browser.ts'

/** The network's own page, on another site: it leads back with a code, as a redirect after its form would. */
async function playNetwork(page: Page, shop: Shop): Promise<void> {
  await page.route('https://network.example/**', (route) => {
    const state = new URL(route.request().url()).searchParams.get('state')
    const back = `${shop.running.url}/social/callback/facebook?state=${state}&code=right`
    return route.fulfill({ contentType: 'text/html', body: `<a href="${back}">Allow</a>` })
  })
}

inChromium('Connecting on a network’s own page', (engine, openTab) => {
  const shop = new Shop()
  const network = new Network()

  beforeAll(async () => {
    await shop.open(engine, { SIMULATED_PROVIDERS: 'false' })
    shop.running.app.services.social = network.only
  })
  afterAll(() => shop.close())

  it.each(SCREENS)('leads there and back, and asks what to connect ($name)', async ({ name, ...options }) => {
    network.profiles = [`birds.${name}`, `books.${name}`]
    const account: Body = await shop.post('/social_accounts', { platform: 'facebook' })
    const tab = await openTab(options)
    await playNetwork(tab.page, shop)
    await tab.page.goto(account.connect_url)
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(tab.page, `connect-leave-${name}`)
    await tab.page.getByRole('button', { name: 'Continue to Facebook' }).click()
    await tab.page.waitForURL('https://network.example/**')
    await tab.page.getByRole('link', { name: 'Allow' }).click()
    await tab.page.getByLabel(`Page books.${name}`).check()
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(tab.page, `connect-choose-${name}`)
    await tab.page.getByRole('button', { name: 'Connect', exact: true }).click()
    await tab.page.getByRole('heading', { name: 'Facebook is connected' }).waitFor()
    expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ username: `books.${name}` })
    await tab.close()
  })
})
