import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { GENERATIONS } from '../connect/generations.ts'
import { Client } from '../connect/oauth.ts'
import { Remembering } from '../connect/remembering.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { PASSWORD, type Person, signIn } from '../support/person.ts'
import { axeProblems, faultsOf, inChromium, isTooWide, keepScreenshot, SCREENS } from './browser.ts'
import { enterPassword } from './steps.ts'

const EMAIL = 'owner@example.com'
const READ = { name: 'code_execute', arguments: { code: 'get("/account")["object"]' } }

inChromium('A program that asks to be let in', (engine, openTab) => {
  let running: RunningApp
  let owner: Person
  let program: Server
  /** Where the program waits for the browser to come back. */
  let back: string
  let client: Client
  beforeAll(async () => {
    running = await startApp({ engine })
    program = createServer((request, response) => response.end(`Back at ${request.url}`))
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    back = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`
    owner = await signIn(running)
    client = await Client.registered(running, {
      client_name: 'A program with quite a long name of its own',
      redirect_uris: ['http://127.0.0.1/callback'],
    })
  })
  afterAll(async () => {
    program.close()
    program.closeAllConnections()
    await running.close()
    expect(running.errors).toEqual([])
  })

  async function opened(screen: (typeof SCREENS)[number]) {
    const tab = await openTab({ ...screen, javaScriptEnabled: true }, owner)
    await tab.page.goto(client.authorizeUrl({ redirect_uri: back }))
    return tab
  }

  it.each(SCREENS)('asks on a page that is readable on $name', async (screen) => {
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
  ])('is led back to with %s, which its policy allows', async (button, answer) => {
    const { page, complaints, close } = await opened(SCREENS[0]!)
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(`${back}**`)
    expect(page.url()).toMatch(answer)
    expect(complaints).toEqual([])
    await close()
  })

  it('is let in with the keyboard alone', async () => {
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

  it.each(GENERATIONS)(
    'of the $generation generation is let in, renews its tokens, and is shown out',
    async ({ connect, finish, renew }) => {
      const tab = await openTab({ viewport: { width: 1440, height: 900 } })
      const { page } = tab
      const address = `${running.url}/connect`
      const provider = new Remembering(back)
      const read = async () => {
        const connected = await connect(address, provider)
        const { structuredContent } = await connected.callTool(READ)
        await connected.close()
        return structuredContent
      }
      await expect(connect(address, provider)).rejects.toThrow(/unauthorized/i)

      await page.goto(provider.sentTo!.href)
      await enterPassword(page, { email: EMAIL, password: PASSWORD })
      await page.getByLabel('Make changes').check()
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.waitForURL(`${back}**`)
      await finish(address, provider, new URL(page.url()))
      expect(await read()).toEqual({ result: 'account' })

      const { access_token, refresh_token } = provider.saved!
      await renew(address, provider)
      expect([provider.saved!.access_token, provider.saved!.refresh_token]).not.toContain(access_token)
      expect(provider.saved!.refresh_token).not.toBe(refresh_token)
      expect(await read()).toEqual({ result: 'account' })

      await page.goto(`${running.url}/dashboard/my-shop/developers`)
      await page.getByRole('link', { name: 'Connections' }).click()
      const row = page.locator('tr', { hasText: 'Test client' })
      await row.getByText('Write').waitFor()
      expect(await row.innerText()).toContain(EMAIL)
      expect(await faultsOf(tab)).toEqual([])
      await row.getByRole('button', { name: 'End' }).click()
      await page.getByText(/^Connection of “.+” ended\.$/).waitFor()
      expect(await row.count()).toBe(0)
      expect(await faultsOf(tab)).toEqual([])

      provider.statuses.length = 0
      await expect(connect(address, provider)).rejects.toThrow(/unauthorized/i)
      expect(provider.statuses[0]).toBe(401)
      await tab.close()
    },
  )
})
