import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { axeProblems, inChromium, isTooWide, keepScreenshot, SCREENS, type Tab } from './browser.ts'
import { OWNER, setPassword, signIn } from './steps.ts'

const ADA = { ...OWNER, name: 'Ada <i>Lovelace</i>' }

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Passkeys belong to names: a browser makes none for an address in numbers. */
const publicUrl = (port: number) => `http://localhost:${port}`

/** A device that holds passkeys and always finds its owner in front of it. */
async function giveAuthenticator({ page }: Tab, isUserVerified = true) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified, automaticPresenceSimulation: true },
  })
  return { client, authenticatorId }
}

inChromium('Signing in with a browser', (engine, openTab) => {
  let running: RunningApp
  let mails: MailServer
  let url: string

  beforeAll(async () => {
    mails = await startMailServer()
    const settings = { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' }
    running = await startApp({ engine, publicUrl, settings })
    url = publicUrl(Number(new URL(running.url).port))
    const tab = await openTab()
    await setPassword(tab.page, running.app.firstPasswordUrl!, ADA)
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  afterAll(async () => {
    await running.close()
    await mails.close()
    expect(running.errors).toEqual([])
  })

  async function isSignedIn({ page }: Tab): Promise<boolean> {
    await page.goto(`${url}/dashboard`)
    return !page.url().includes('/sign-in')
  }

  it('makes a passkey, signs in with it, renames it and deletes it', async () => {
    const tab = await openTab()
    const { page } = tab
    const device = await giveAuthenticator(tab)
    await signIn(page, url)
    await page.goto(`${url}/dashboard/my-shop/you`)
    await page.fill('#passkey-name', 'Laptop <b>')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Passkey added. You can now sign in with it.').waitFor()
    expect(await page.inputValue('[aria-label="Name of the passkey"]')).toBe('Laptop <b>')
    const { credentials } = await device.client.send('WebAuthn.getCredentials', device)
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

    await page.context().clearCookies()
    await page.goto(`${url}/sign-in?next=%2Fdashboard%2Fmy-shop%2Fyou`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/dashboard\/my-shop\/you$/)
    const cookies = await page.context().cookies()
    expect(cookies.find((one) => one.name === 'shopwright_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
    })

    await page.fill('[aria-label="Name of the passkey"]', 'Old laptop')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.waitForURL(/done=saved/)
    expect(await page.inputValue('[aria-label="Name of the passkey"]')).toBe('Old laptop')
    await page.getByRole('button', { name: 'Delete Old laptop' }).click()
    await page.waitForURL(/done=deleted/)
    await page.context().clearCookies()
    await page.goto(`${url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('is not registered here').waitFor()
    expect(tab.complaints).toEqual([])
    await tab.close()
  })

  it('changes the password and signs out everywhere else', async () => {
    const [here, there] = [await openTab(), await openTab()]
    await signIn(here.page, url)
    await signIn(there.page, url)
    await here.page.goto(`${url}/dashboard/my-shop/you`)
    await here.page.fill('#present', 'not the password')
    await here.page.fill('#password', ADA.password)
    await here.page.getByRole('button', { name: 'Change password' }).click()
    await here.page.getByText('This is not your current password.').first().waitFor()
    expect(await here.page.inputValue('#password')).toBe('')
    await here.page.fill('#present', ADA.password)
    await here.page.fill('#password', ADA.password)
    await here.page.getByRole('button', { name: 'Change password' }).click()
    await here.page.waitForURL(/done=saved/)
    expect(await isSignedIn(there)).toBe(false)
    expect([...here.complaints, ...there.complaints]).toEqual([])
    await Promise.all([here.close(), there.close()])
  })

  it('lists where somebody is signed in, and ends one session or all others', async () => {
    const tabs = [await openTab(), await openTab({ userAgent: FIREFOX }), await openTab()] as const
    for (const { page } of tabs) await signIn(page, url)
    const [{ page }, firefox, third] = tabs
    await page.goto(`${url}/dashboard/my-shop/you`)
    const rows = page.getByRole('table', { name: 'Your sessions' }).locator('tbody tr')
    const before = await rows.count()
    await rows.filter({ hasText: 'This one' }).waitFor()
    await rows.filter({ hasText: 'Firefox on Linux' }).getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(before - 1)
    expect(await isSignedIn(firefox)).toBe(false)
    expect(await isSignedIn(third)).toBe(true)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await isSignedIn(third)).toBe(false)
    expect(await isSignedIn(tabs[0])).toBe(true)
    for (const tab of tabs) expect(tab.complaints).toEqual([])
    await Promise.all(tabs.map(({ close }) => close()))
  })

  it('looks right on each screen, says what is wrong, and works without scripts', async () => {
    const { people, firstAccount } = running.app
    const addresses = {
      'sign-in': '/sign-in',
      forgot: '/forgot-password',
      password: new URL(await people.makePasswordUrl(firstAccount!.userId)).pathname,
      profile: '/dashboard/my-shop/you',
    }
    for (const { name: screen, ...options } of SCREENS) {
      const tab = await openTab(options)
      const look = async (what: string) => {
        expect([what, screen, await axeProblems(tab.page)]).toEqual([what, screen, []])
        expect([what, screen, await isTooWide(tab.page)]).toEqual([what, screen, false])
        await keepScreenshot(tab.page, `sign-in-${what}-${screen}`)
      }
      for (const [what, address] of Object.entries(addresses)) {
        if (what === 'profile') await signIn(tab.page, url)
        await tab.page.goto(url + address)
        await look(what)
        if (what !== 'sign-in') continue
        await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await tab.page.waitForSelector('.problem')
        await look('refused')
      }
      expect(tab.complaints).toEqual([])
      await tab.close()
    }
    const plain = await openTab({ javaScriptEnabled: false })
    await signIn(plain.page, url)
    await plain.page.goto(`${url}/dashboard/my-shop/you`)
    expect(await plain.page.textContent('body')).toContain('Adding a passkey needs JavaScript.')
    await plain.page.fill('#name', 'Ada')
    await plain.page.getByRole('button', { name: 'Save' }).click()
    expect(plain.page.url()).toContain('done=saved')
    await plain.close()
  })

  it('sets another password by a link that was mailed, which ends every session', async () => {
    const renewed = { ...ADA, password: 'another horse battery staple' }
    const [here, there] = [await openTab(), await openTab()]
    await signIn(there.page, url)
    const { page } = here
    await page.goto(`${url}/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.fill('#email', ADA.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your inbox').waitFor()
    const letters = await mails.until(2)
    const letter = letters.find(({ text }) => text?.includes('/set-password/'))
    expect(letter!.envelope.to).toEqual([ADA.email])
    const [link = ''] = /http:\S+\/set-password\/\S+/.exec(letter!.text!)!
    await page.goto(link)
    await page.fill('#password', renewed.password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL(/\/dashboard\//)
    expect(await isSignedIn(there)).toBe(false)
    await page.context().clearCookies()
    await signIn(page, url, renewed)
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('#password').count()).toBe(0)
    expect([...here.complaints, ...there.complaints]).toEqual([])
    await Promise.all([here.close(), there.close()])
  })
})
