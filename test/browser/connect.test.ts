import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../connect/oauth.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { signedIn } from '../support/signed-in.ts'
import { axeProblems, CHROMIUM, isTooWide, keepScreenshot, launchChromium, openTab, SCREENS } from './browser.ts'

describe.skipIf(!CHROMIUM)('the page of consent, in a browser', () => {
  let running: RunningApp
  let browser: Browser
  let program: Server
  /** Where the program waits for the browser to come back. */
  let back: string
  let cookies: { name: string; value: string; url: string }[]
  let client: Client
  beforeAll(async () => {
    running = await startApp()
    browser = await launchChromium()
    program = createServer((request, response) => response.end(`Back at ${request.url}`))
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    back = `http://127.0.0.1:${(program.address() as AddressInfo).port}/back`
    const { userId } = running.app.firstAccount!
    const [name, value] = (await signedIn(running, userId)).split('=') as [string, string]
    cookies = [{ name, value, url: running.url }]
    client = await Client.registered(running, {
      client_name: 'A program with quite a long name of its own',
      redirect_uris: ['http://127.0.0.1/back'],
    })
  })
  afterAll(async () => {
    program.close()
    program.closeAllConnections()
    await browser.close()
    await running.close()
    expect(running.errors).toEqual([])
  })

  async function opened(screen: (typeof SCREENS)[number]) {
    const tab = await openTab(browser, { ...screen, javaScriptEnabled: true })
    await tab.page.context().addCookies(cookies)
    await tab.page.goto(client.authorizeUrl({ redirect_uri: back }))
    return tab
  }

  it.each(SCREENS)('is readable on $name', async (screen) => {
    const { page, complaints, close } = await opened(screen)
    await keepScreenshot(page, `connect-${screen.name}`)
    expect(await axeProblems(page)).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })

  it.each([
    ['Connect', /[?&]code=shpwc_/],
    ['Cancel', /[?&]error=access_denied&/],
  ])('leads back to the program with %s, which its policy allows', async (button, answer) => {
    const { page, complaints, close } = await opened(SCREENS[0]!)
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(`${back}**`)
    expect(page.url()).toMatch(answer)
    expect(complaints.filter((complaint) => !complaint.includes('favicon'))).toEqual([])
    await close()
  })

  it('is filled in with the keyboard alone', async () => {
    const { page, close } = await opened(SCREENS[0]!)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('input:checked').getAttribute('value')).toBe('write')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${back}**`)
    const { body } = await client.exchange(new URL(page.url()).searchParams.get('code')!, { redirect_uri: back })
    expect(body.scope).toBe('write')
    await close()
  })
})
