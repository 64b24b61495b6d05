import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onEngines, type RunningApp, startApp } from '../support/app.ts'
import {
  axeProblems,
  CHROMIUM,
  isTooWide,
  keepScreenshot,
  launchChromium,
  openTab,
  SCREENS,
  type Tab,
} from './browser.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery staple'

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

/** Two fresh seats of one person: what is signed in at one is not at the other. */
async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.fill('#email', EMAIL)
  await page.fill('#password', PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/dashboard\//)
}

for (const { name, available } of onEngines) {
  describe.skipIf(CHROMIUM === null || !available)(`Signing in with a browser, on ${name}`, () => {
    let running: RunningApp
    let browser: Browser
    let url: string

    beforeAll(async () => {
      running = await startApp({ engine: name, publicUrl })
      url = publicUrl(Number(new URL(running.url).port))
      browser = await launchChromium()
      const tab = await openTab(browser)
      await tab.page.goto(running.app.firstPasswordUrl!)
      await tab.page.fill('#name', 'Ada <i>Lovelace</i>')
      await tab.page.fill('#email', EMAIL)
      await tab.page.fill('#password', PASSWORD)
      await tab.page.getByRole('button', { name: 'Set the password' }).click()
      await tab.page.waitForURL(/\/dashboard\//)
      expect(tab.complaints).toEqual([])
      await tab.close()
    })

    afterAll(async () => {
      await browser.close()
      await running.close()
      expect(running.errors).toEqual([])
    })

    it('makes a passkey, signs in with it, renames it and deletes it', async () => {
      const tab = await openTab(browser)
      const { page } = tab
      const device = await giveAuthenticator(tab)
      await signIn(page, url)
      await page.goto(`${url}/dashboard/my-shop/you`)
      await page.fill('#passkey-name', 'Laptop <b>')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.waitForURL(/done=created/)
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
      await page.getByText('does not belong to anybody here').waitFor()
      expect(tab.complaints).toEqual([])
      await tab.close()
    })

    it('changes the password and signs out everywhere else', async () => {
      const [here, there] = [await openTab(browser), await openTab(browser)]
      await signIn(here.page, url)
      await signIn(there.page, url)
      await here.page.goto(`${url}/dashboard/my-shop/you`)
      await here.page.fill('#present', 'not the password')
      await here.page.fill('#password', PASSWORD)
      await here.page.getByRole('button', { name: 'Change the password' }).click()
      await here.page.getByText('This is not your present password.').first().waitFor()
      expect(await here.page.inputValue('#password')).toBe('')
      await here.page.fill('#present', PASSWORD)
      await here.page.fill('#password', PASSWORD)
      await here.page.getByRole('button', { name: 'Change the password' }).click()
      await here.page.waitForURL(/done=saved/)
      await there.page.goto(`${url}/dashboard`)
      expect(there.page.url()).toContain('/sign-in')
      expect([...here.complaints, ...there.complaints]).toEqual([])
      await Promise.all([here.close(), there.close()])
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
        const tab = await openTab(browser, options)
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
      const plain = await openTab(browser, { javaScriptEnabled: false })
      await signIn(plain.page, url)
      await plain.page.goto(`${url}/dashboard/my-shop/you`)
      expect(await plain.page.textContent('body')).toContain('Adding a passkey needs JavaScript.')
      await plain.page.fill('#name', 'Ada')
      await plain.page.getByRole('button', { name: 'Save' }).click()
      expect(plain.page.url()).toContain('done=saved')
      await plain.close()
    })
  })
}
