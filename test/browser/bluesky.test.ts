import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { HAS_PDS, PASSWORD, type Pds, startPds } from '../support/pds.ts'
import { type Person, signIn } from '../support/person.ts'
import { type Body, Shop } from '../support/shop.ts'
import { faultsOf, inChromium } from './browser.ts'

const SOON_SECONDS = 3

describe.skipIf(!HAS_PDS)('With the reference server of the AT Protocol', () =>
  inChromium('Bluesky, in a browser', (engine, openTab) => {
    const shop = new Shop()
    let pds: Pds
    let owner: Awaited<ReturnType<Pds['account']>>
    let person: Person
    beforeAll(async () => {
      pds = await startPds()
      owner = await pds.account('kestrel.test')
      await shop.open(engine, { SIMULATED_PROVIDERS: 'false', PLC_DIRECTORY_URL: pds.plcUrl })
      person = await signIn(shop.running)
    }, 60_000)
    afterAll(async () => {
      await shop.close()
      await pds?.close()
    })

    const connected = async (token: string): Promise<Client> => {
      const headers = { Authorization: `Bearer ${token}` }
      const client = new Client({ name: 'agent', version: '1' })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${shop.running.url}/mcp`), { requestInit: { headers } }),
      )
      return client
    }
    const records = async (): Promise<Body[]> =>
      (await pds.call('com.atproto.repo.listRecords', { query: { repo: owner.did, collection: 'app.bsky.feed.post' } }))
        .records

    /** The server's own pages: who it is, and that they allow it. */
    const allowAccess = async (page: Page) => {
      await page.waitForURL(`${pds.url}/**`)
      await page.getByRole('button', { name: 'Sign in' }).first().click()
      await page.getByTitle('Username or email address').fill('kestrel.test')
      await page.getByTitle('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('Grant access to your account').waitFor()
      await page.getByRole('button', { name: 'Authorize' }).click()
    }

    it('is connected from the dashboard, and posts what an agent schedules', async () => {
      const tab = await openTab({ viewport: { width: 1280, height: 800 } }, person)
      const { page } = tab
      await page.goto(`${shop.running.url}/dashboard/my-shop/social_accounts/new`)
      await page.getByLabel('Network').selectOption('Bluesky')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('link', { name: 'Allow access' }).click()
      await page.getByLabel('Handle').fill(pds.url)
      expect(await faultsOf(tab)).toEqual([])
      await page.getByRole('button', { name: 'Continue to Bluesky' }).click()
      await allowAccess(page)
      await page.waitForURL(`${shop.running.url}/**`)
      await page.getByText('kestrel.test').first().waitFor()
      const { data } = await shop.get('/social_accounts')
      expect(data).toMatchObject([
        { platform: 'bluesky', username: 'kestrel.test', status: 'connected', sandbox: false },
      ])

      const agent = await connected(await tokenOf(shop, ownerOf(shop), 'write', 'Posting agent'))
      const code = `account = get("/social_accounts")["data"].first
post = post("/social_posts", content: "Scheduled by a program", social_accounts: [account["id"]])
post("/social_posts/#{post["id"]}/schedule", scheduled_at: (Time.now + ${SOON_SECONDS}).utc.iso8601)`
      const answer = await agent.callTool({ name: 'code_execute', arguments: { code } })
      await agent.close()
      const { result: post } = answer.structuredContent as Body
      expect(post.status).toBe('scheduled')
      await expect.poll(records, { timeout: 60_000 }).toMatchObject([{ value: { text: 'Scheduled by a program' } }])
      const [record] = await records()
      expect(Date.parse(record!.value.createdAt)).toBeGreaterThanOrEqual(Date.parse(post.scheduled_at))
      await shop.settled()
      expect(await shop.get(`/social_posts/${post.id}`)).toMatchObject({ status: 'published' })
      await tab.close()
    })
  }),
)
