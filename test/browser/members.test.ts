import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { some } from '../support/depth.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium, keepScreenshot, type Tab } from './browser.ts'

const BASE = '/dashboard/my-shop'
const MEMBERS = `${BASE}/settings/members`
const GRACE = 'grace@example.com'
const SCREENS = [
  { name: 'phone-dark', viewport: { width: 320, height: 740 }, colorScheme: 'dark' },
  { name: 'desktop-light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
] as const
/** The answer to a form: its status, and why it was refused. */
const REFUSED = expect.stringMatching(/^403 [\s\S]*(This requires (the role|one of the roles)|Only an owner can)/)
/** What only owners and admins find in the dashboard, by the words of its links. */
const FOR_OTHERS = ['Payments', 'E-mail', 'Export', 'Deletion']

/** The links of the settings. Playwright takes all that a closed `details` holds for hidden, though wide screens show it. */
const settings = (page: Page) => page.getByRole('navigation', { name: 'Settings' }).locator('a')

inChromium('The people of an account', (engine, open) => {
  const shop = new Shop()
  let mails: MailServer
  let owner: Person
  let dashboard: Tab
  let her: Tab

  beforeAll(async () => {
    mails = await startMailServer()
    await shop.open(engine, { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' })
    owner = await signIn(shop.running)
    dashboard = await open({}, owner)
  })
  afterAll(async () => {
    await dashboard?.close()
    await shop.close()
    await mails?.close()
  })

  const go = (page: Page, path: string) => page.goto(shop.running.url + path)
  const roles = async () => {
    const rows = shop.db.selectFrom('memberships').innerJoin('users', 'users.id', 'memberships.user_id')
    const found = await rows.select(['email', 'role']).where('account_id', '=', shop.accountId).execute()
    return Object.fromEntries(found.map(({ email, role }) => [email, role]))
  }

  it('invite somebody, who accepts in her browser and may not do what an owner may', async () => {
    const { page } = dashboard
    await go(page, `${BASE}/settings`)
    await settings(page).filter({ hasText: 'Members' }).click()
    await page.getByLabel('E-mail address').fill('not an address')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(dashboard)).toEqual([])
    await page.getByLabel('E-mail address').fill(GRACE)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(`The invitation was sent to ${GRACE}.`).waitFor()
    await page.locator('tr', { hasText: GRACE }).getByText('Viewer').waitFor()

    her = await accepted()
    expect(await roles()).toEqual({ 'owner@example.com': 'owner', [GRACE]: 'viewer' })
    await seesLess(her)
    await isRefused(her)
  })

  it.each(some(SCREENS, 1))('are shown without fault on $name', async ({ name, ...options }) => {
    const tab = await open(options, owner)
    await owner.submit(MEMBERS, { email: `on-${name}@example.com`, role: 'admin' })
    await go(tab.page, MEMBERS)
    await tab.page.getByText(`on-${name}@example.com`, { exact: true }).waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await keepScreenshot(tab.page, `members-${name}`)
    await tab.page.getByRole('link', { name: 'Remove Grace Hopper' }).click()
    await tab.page.getByText('will lose access to this account').waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await tab.close()
  })

  it('take somebody out, whose browser finds the shop no more', async () => {
    const { page } = dashboard
    await go(page, MEMBERS)
    await page.getByRole('link', { name: 'Remove Grace Hopper' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Done.').waitFor()
    expect(await page.getByText('Grace Hopper').count()).toBe(0)
    await go(her.page, BASE)
    await her.page.waitForURL(/\/sign-in/)
    await her.close()
  })

  /** Follows the link of the letter, in a browser of her own. */
  async function accepted(): Promise<Tab> {
    const [letter] = await mails.until(1)
    expect(letter!.envelope.to).toEqual([GRACE])
    const [link = ''] = /http:\S+\/invitations\/\S+/.exec(letter!.text!)!
    const tab = await open()
    const { page } = tab
    await page.goto(link)
    await page.getByText('You are invited as a viewer.').waitFor()
    expect(await faultsOf(tab)).toEqual([])
    await page.fill('#name', 'Grace Hopper')
    await page.fill('#password', 'compilers are for people')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL(`**${BASE}`)
    return tab
  }

  /** She works in the shop, and finds none of what is for owners and admins. */
  async function seesLess({ page }: Tab): Promise<void> {
    await page.getByRole('link', { name: 'Products', exact: true }).waitFor()
    await go(page, `${BASE}/settings/deletion`)
    await page.getByText('This requires the role owner').waitFor()
    expect(await page.locator('main form').count()).toBe(0)
    await go(page, `${BASE}/settings/export`)
    await page.getByText('This requires the role owner').waitFor()
    expect(await page.locator('main form').count()).toBe(0)
    await go(page, MEMBERS)
    const tabs = await settings(page).allInnerTexts()
    expect(tabs).toContain('Members')
    for (const words of FOR_OTHERS) expect(tabs).not.toContain(words)
    expect(await page.getByRole('link', { name: 'Remove' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send invitation' }).count()).toBe(0)
    expect(await page.getByLabel('Role of Grace Hopper').count()).toBe(0)
  }

  /** Her own browser sends, from her own page, the forms that she is not shown. */
  async function isRefused({ page, complaints }: Tab): Promise<void> {
    const { userId } = shop.running.app.firstAccount!
    const [me] = (await shop.db.selectFrom('users').select('id').where('email', '=', GRACE).execute()) as [Body]
    const forms: [string, Record<string, string>][] = [
      [MEMBERS, { email: 'mallory@example.com', role: 'owner' }],
      [`${MEMBERS}/${me.id}/role`, { role: 'owner' }],
      [`${MEMBERS}/${userId}/role`, { role: 'member' }],
      [`${MEMBERS}/${userId}/remove`, {}],
      [`${BASE}/settings/export`, {}],
      [`${BASE}/settings/deletion`, { subdomain: 'my-shop' }],
    ]
    for (const [path, fields] of forms) expect([path, await posted(page, path, fields)]).toEqual([path, REFUSED])
    expect(await roles()).toEqual({ 'owner@example.com': 'owner', [GRACE]: 'viewer' })
    expect((await shop.get('/account')).subdomain).toBe('my-shop')
    expect(complaints).toEqual([])
  }

  /** Sends a form with everything that the page's own forms hold; gives the status and the page. */
  async function posted(page: Page, path: string, fields: Record<string, string>): Promise<string> {
    await go(page, MEMBERS)
    const csrf = await page.locator('[name=csrf]').first().inputValue()
    const sent = JSON.stringify({ ...fields, csrf })
    return page.evaluate<string>(
      `fetch('${path}', { method: 'POST', body: new URLSearchParams(${sent}) })
        .then(async (answer) => answer.status + ' ' + (await answer.text()))`,
    )
  }
})
