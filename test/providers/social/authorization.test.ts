import { beforeEach, describe, expect, it } from 'vitest'
import { type Seen, Visitor } from '../../pages/visitor.ts'
import { ownerOf } from '../../support/dashboard.ts'
import { type Body, onEachEngine, type Shop } from '../../support/shop.ts'
import { Network } from './network.ts'

describe('Connecting on the network’s own page', () => {
  onEachEngine(suite, { SIMULATED_PROVIDERS: 'false' })
})

function suite(shop: Shop): void {
  let network: Network
  beforeEach(() => {
    network = new Network()
    shop.running.app.services.social = network.only
  })

  const asked = (more: object = {}): Promise<Body> => shop.post('/social_accounts', { platform: 'facebook', ...more })
  const account = (id: string) => shop.get(`/social_accounts/${id}`)
  /** A person who has pressed the button, in a browser, with the state that the network got. */
  const setOut = async ({ connect_url }: Body) => {
    const visitor = new Visitor(shop.running.url)
    const left = await visitor.press(await visitor.open(connect_url), 'continue')
    return { visitor, left, state: network.begun.at(-1)!.state }
  }
  const back = (visitor: Visitor, state: string, query = 'code=right', platform = 'facebook'): Promise<Seen> =>
    visitor.follow(`/social/callback/${platform}?state=${encodeURIComponent(state)}&${query}`)

  it('sends the person there with a state, and connects when they are back', async () => {
    const one = await asked()
    const { visitor, left, state } = await setOut(one)
    expect(left.headers.get('refresh')).toBe(`0; url=https://network.example/allow?state=${state}`)
    expect(left.text).toContain('network.example asks you to allow access')
    expect(network.begun[0]!.returnUrl).toBe(`${shop.running.url}/social/callback/facebook`)
    const cookie = left.headers.getSetCookie()[0]
    expect(cookie).toMatch(/^shopwright_network=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/)
    const done = await back(visitor, state)
    expect(done.text).toContain('Facebook is connected')
    expect(await account(one.id)).toMatchObject({ status: 'connected', username: 'one.page', connect_url: null })
  })

  it('takes a state once, of its platform, in the browser that set out, and not from a look at the headers', async () => {
    const one = await asked({ username: 'one.page.again' })
    network.profiles = ['one.page.again']
    const { visitor, state } = await setOut(one)
    const stranger = new Visitor(shop.running.url)
    for (const wrong of [
      await back(stranger, state),
      await back(visitor, state, 'code=right', 'instagram'),
      await back(visitor, `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`),
      await back(visitor, 'nonsense'),
      await back(visitor, ''),
    ])
      expect([wrong.status, wrong.text]).toEqual([
        400,
        expect.stringContaining('This address works once, for 20 minutes'),
      ])
    const head = await visitor.open(`/social/callback/facebook?state=${state}&code=right`, { method: 'HEAD' })
    expect(head.status).toBeGreaterThanOrEqual(400)
    expect((await account(one.id)).status).toBe('pending')
    expect((await back(visitor, state)).text).toContain('Facebook is connected')
    expect((await back(visitor, state)).status).toBe(400)
  })

  it('takes no state that is older than 20 minutes', async () => {
    const { visitor, state } = await setOut(await asked())
    await shop.set('social_authorizations', state.split('.')[0]!, { expires_at: '2026-01-01T00:00:00.000Z' })
    expect((await back(visitor, state)).status).toBe(400)
  })

  it('keeps neither the state nor what the adapter keeps readable', async () => {
    const { state } = await setOut(await asked())
    const rows = await shop.db.selectFrom('social_authorizations').selectAll().execute()
    expect(rows.some(({ id }) => state.startsWith(id))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(state.split('.')[1])
    expect(JSON.stringify(rows)).not.toContain('verifier')
  })

  it('says how the person declined, and what the network refused, and can be tried again', async () => {
    const one = await asked()
    for (const [query, words] of [
      ['error=access_denied', 'The person said no: access_denied.'],
      ['code=wrong', 'The code is wrong.'],
    ] as const) {
      const { visitor, state } = await setOut(one)
      const page = await back(visitor, state, query)
      expect(page.text).toContain(words)
      expect(page.buttons).toEqual(['continue', 'decline'])
      expect(await account(one.id)).toMatchObject({ status: 'pending', error_message: words })
    }
  })

  it('lets the person choose one of several profiles, in the same browser alone', async () => {
    network.profiles = ['first.page', 'second.page']
    const one = await asked()
    const { visitor, state } = await setOut(one)
    const choosing = await back(visitor, state)
    expect(choosing.text).toContain('Choose what to connect Page first.page first.page Page second.page second.page')
    expect(choosing.html).not.toContain('access 0')
    const stranger = await new Visitor(shop.running.url).open(one.connect_url)
    expect(stranger.buttons).toEqual(['continue', 'decline'])
    const none = await visitor.post(choosing, 'choose', {}, { without: ['choice'] })
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('Choose one from the list.')])
    await visitor.press(choosing, 'choose', { choice: '1' })
    expect(await account(one.id)).toMatchObject({ status: 'connected', username: 'second.page' })
  })

  it('does not ask which profile to renew the access for', async () => {
    network.profiles = ['third.page']
    const one = await asked()
    const first = await setOut(one)
    await back(first.visitor, first.state)
    network.profiles = ['other.page', 'third.page']
    const again = await setOut(await shop.post(`/social_accounts/${one.id}/reconnect`))
    expect((await back(again.visitor, again.state)).text).toContain('Facebook is connected')
    expect(await account(one.id)).toMatchObject({ username: 'third.page' })
  })

  it('offers the second way on the same page', async () => {
    const one = await asked()
    const visitor = new Visitor(shop.running.url)
    const page = await visitor.open(one.connect_url)
    expect(page.text).toContain('Connect with an access key instead')
    const [, href] = /<a href="([^"]+\?by=entry)"/.exec(page.html)!
    const entry = await visitor.open(href!)
    expect((await visitor.post(entry, 'allow', { key: '' })).text).toContain("Access key can't be blank.")
    await visitor.press(entry, 'allow', { key: 'k' })
    expect(await account(one.id)).toMatchObject({ status: 'connected', username: 'by.key' })
  })

  it('ends the access at the network when the account is disconnected', async () => {
    network.profiles = ['short.lived']
    const one = await asked()
    const { visitor, state } = await setOut(one)
    await back(visitor, state)
    await shop.delete(`/social_accounts/${one.id}`)
    await shop.settled()
    expect(network.revoked).toEqual(['access 0'])
    const jobs = await shop.db.selectFrom('jobs').selectAll().where('name', '=', 'social_account.revoke').execute()
    expect(JSON.stringify(jobs)).not.toContain('access 0')
  })

  it('ends the access at the network when the whole account is deleted, and that of no other', async () => {
    const doomed = shop.as(await shop.running.another('doomed'))
    for (const one of [shop, doomed]) {
      const credentials = { username: `of.${one.accountId.slice(-8)}`, access_token: 'access 0', refresh_token: 'x' }
      expect(await one.post('/social_accounts', { platform: 'x', credentials })).toMatchObject({ status: 'connected' })
    }
    const owner = await ownerOf(doomed)
    await owner.post('/account/delete', { subdomain: 'doomed' })
    expect(network.revoked).toEqual(['access 0'])
  })

  it('keeps the newest ten ways of an account', async () => {
    const one = await asked()
    const ways: Awaited<ReturnType<typeof setOut>>[] = []
    for (let number = 0; number < 11; number++) ways.push(await setOut(one))
    const rows = await shop.db
      .selectFrom('social_authorizations')
      .select('id')
      .where('social_account', '=', one.id)
      .execute()
    expect(rows).toHaveLength(10)
    expect((await back(ways[0]!.visitor, ways[0]!.state)).status).toBe(400)
  })
}
