import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '../../pages/visitor.ts'
import { type MastodonServer, startMastodon } from '../../support/mastodon-server.ts'
import { type Body, Shop } from '../../support/shop.ts'

const SCOPES = 'read:accounts read:statuses write:statuses write:media write:favourites'

describe('Mastodon, on the server’s own page', () => {
  const service = new Shop()
  let shop: Shop
  let instance: MastodonServer
  let made = 0
  beforeAll(async () => {
    instance = await startMastodon()
    await service.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
  })
  afterAll(async () => {
    await service.close()
    await instance.close()
  })
  /** A shop of its own, since a profile is connected once in each. */
  const freshShop = async () => {
    shop = service.as(await service.running.another(`birds-${++made}`))
  }
  /** A person who has entered the server on our page: their browser, and where it goes. */
  const setOut = async (entered = instance.url) => {
    const account = await shop.post('/social_accounts', { platform: 'mastodon' })
    const visitor = new Visitor(shop.running.url)
    const page = await visitor.press(await visitor.open(account.connect_url), 'continue', { instance: entered })
    return { account, visitor, page, url: /^0; url=(.+)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '' }
  }
  const connected = async (): Promise<Body> => {
    const { account, visitor, url } = await setOut()
    expect((await visitor.follow(instance.oauth.allow(url))).text).toContain('Mastodon is connected')
    return shop.get(`/social_accounts/${account.id}`)
  }

  it('connects with the scopes that are needed, and ends the access when it is disconnected', async () => {
    await freshShop()
    const { account, visitor, url } = await setOut()
    const asked = new URL(url)
    expect([asked.origin, asked.pathname, asked.searchParams.get('scope')]).toEqual([
      instance.url,
      '/oauth/authorize',
      SCOPES,
    ])
    const before = new Set(instance.oauth.tokens.keys())
    const done = await visitor.follow(instance.oauth.allow(url))
    expect(done.text).toContain('kestrel@127.0.0.1 is connected')
    const [token] = [...instance.oauth.tokens.keys()].filter((one) => !before.has(one))
    expect(instance.oauth.tokens.get(token!)).toEqual(SCOPES.split(' '))
    const post = await shop.post('/social_posts', {
      ...{ content: 'By OAuth', social_accounts: [account.id], publish_now: true },
    })
    await shop.settled()
    expect(await shop.get(`/social_posts/${post.id}`)).toMatchObject({ status: 'published' })
    await shop.delete(`/social_accounts/${account.id}`)
    await shop.settled()
    expect(instance.oauth.tokens.has(token!)).toBe(false)
    const kept = await shop.db.selectFrom('social_apps').selectAll().execute()
    expect(kept.map(({ server }) => server)).toEqual([instance.url])
    expect(JSON.stringify(kept)).not.toContain('secret of')
  })

  it('registers with a server once, and again when the server has forgotten the app', async () => {
    await freshShop()
    const appOf = (url: string) => new URL(url).searchParams.get('client_id')
    const [first, second] = [await setOut(), await setOut()]
    expect(appOf(first.url)).toBe(appOf(second.url))
    instance.oauth.apps.delete(appOf(first.url)!)
    const third = await setOut()
    expect(appOf(third.url)).not.toBe(appOf(first.url))
    expect((await third.visitor.follow(instance.oauth.allow(third.url))).text).toContain('Mastodon is connected')
  })

  it('takes no for an answer, and a code once', async () => {
    await freshShop()
    const { account, visitor, url } = await setOut()
    expect((await visitor.follow(instance.oauth.deny(url))).text).toContain('Access was not allowed.')
    const again = await setOut()
    const address = instance.oauth.allow(again.url).replace(/code=[^&]+/, 'code=made-up')
    expect((await again.visitor.follow(address)).text).toContain('The provided authorization grant is invalid.')
    expect((await shop.get(`/social_accounts/${account.id}`)).status).toBe('pending')
  })

  it('has a redirect URI for each server, and takes no code of another server for it', async () => {
    await freshShop()
    const other = await startMastodon()
    const [mine, theirs] = [await setOut(), await setOut(other.url)]
    const redirectOf = (url: string) => new URL(url).searchParams.get('redirect_uri')!
    const base = `${shop.running.url}/social/callback/mastodon`
    for (const { url } of [mine, theirs])
      expect(redirectOf(url)).toMatch(new RegExp(`^${base.replaceAll('.', '\\.')}/[\\w-]{22}$`))
    expect(redirectOf(mine.url)).not.toBe(redirectOf(theirs.url))
    // The server that was entered sends the person on to another, whose code comes back with the first one's state.
    const stateOf = (url: string) => new URL(url).searchParams.get('state')!
    const mixed = new URL(instance.oauth.allow(mine.url))
    mixed.searchParams.set('state', stateOf(theirs.url))
    for (const address of [mixed.href, `${base}?${mixed.searchParams}`, `${base}/x?${mixed.searchParams}`])
      expect((await theirs.visitor.follow(address)).status).toBe(400)
    expect((await shop.get(`/social_accounts/${theirs.account.id}`)).status).toBe('pending')
    expect((await theirs.visitor.follow(other.oauth.allow(theirs.url))).text).toContain('Mastodon is connected')
    await other.close()
  })

  it('holds the issuer of an answer against the server that was asked', async () => {
    for (const [issuer, change, words] of [
      [instance.url, (_: URL) => {}, 'Mastodon is connected'],
      [`${instance.url}/`, (_: URL) => {}, 'Mastodon is connected'],
      [instance.url, (url: URL) => url.searchParams.delete('iss'), 'from another server'],
      [instance.url, (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 'from another server'],
      [null, (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 'from another server'],
    ] as const) {
      await freshShop()
      instance.oauth.issuer = issuer
      const { visitor, url } = await setOut()
      const back = new URL(instance.oauth.allow(url))
      change(back)
      expect((await visitor.follow(back.href)).text).toContain(words)
    }
    instance.oauth.issuer = null
  })

  it('keeps no address of a server that is none of a web page', async () => {
    await freshShop()
    const at = instance.url
    const evil = ['javascript:alert(1)', 'data:text/html,x', ' javascript:alert(1)', 'https://a@b.example/', 'x']
    for (const address of evil) {
      await freshShop()
      instance.profile = { url: address, avatar: address }
      const account = await connected()
      const events = shop.db.selectFrom('events').select('data').where('account_id', '=', shop.accountId)
      const said = (await events.execute()).map(({ data }) => JSON.parse(data).profile_url)
      expect([said.length > 0, said.filter((url) => url !== null)]).toEqual([true, []])
      expect(account).toMatchObject({ status: 'connected', profile_url: null, avatar_url: null })
      const stored = shop.db.selectFrom('social_accounts').selectAll().where('id', '=', account.id)
      expect(await stored.executeTakeFirst()).toMatchObject({ profile_url: null, avatar_url: null })
      await shop.set('social_accounts', account.id, { profile_url: address, avatar_url: address })
      expect(await shop.get(`/social_accounts/${account.id}`)).toMatchObject({ profile_url: null, avatar_url: null })
      instance.statusUrl = address
      const post = await shop.post('/social_posts', {
        ...{ content: `Of ${address}`, social_accounts: [account.id], publish_now: true },
      })
      await shop.settled()
      const [target] = (await shop.get(`/social_posts/${post.id}/targets`)).data
      expect(target).toMatchObject({ status: 'published', platform_url: null })
      instance.statusUrl = null
    }
    instance.profile = {}
    await freshShop()
    expect(await connected()).toMatchObject({ profile_url: `${at}/@kestrel`, avatar_url: `${at}/a.png` })
  })

  it('says what is wrong with a server that was entered, and goes to no private address', async () => {
    await freshShop()
    const gone = await startMastodon()
    await gone.close()
    for (const [entered, words] of [
      ['not a server', 'instance must be the name of a server, such as mastodon.social'],
      ['http://169.254.169.254', 'The address must be a public address'],
      ['10.0.0.1', 'The address must be a public address'],
      [gone.url, 'The network did not answer as expected.'],
    ] as const) {
      const { page } = await setOut(entered)
      expect([entered, page.status, page.text]).toEqual([entered, 422, expect.stringContaining(words)])
      expect(page.fields.instance).toBe(entered)
    }
  })

  it.each([false, true])(
    'reads the limits of the server and holds posts against them (old server: %s)',
    async (old) => {
      await freshShop()
      instance.isOld = old
      instance.mostCharacters = 100
      const { id } = await connected()
      const png = await shop.file({ size: 1000 })
      const check = async (content: string, media: string[] = []) =>
        (await shop.post('/social_posts/validate', { content, media, social_accounts: [id] })).results[0]
      expect(await check(`${'x'.repeat(69)} https://bird.example/a-long-address-that-does-not-count`)).toMatchObject({
        ...{ valid: true, characters: 100, max_characters: 100 },
      })
      expect((await check('x'.repeat(101))).errors).toEqual([
        'Content is too long for Mastodon (101 characters, maximum is 100)',
      ])
      expect((await check('', [png, await shop.file(), await shop.file()])).errors).toEqual([
        'Media has too many images for Mastodon (3, maximum is 2)',
      ])
      expect((await check('', [await shop.file({ size: 1001 })])).errors).toEqual([
        expect.stringMatching(/^Media has an image that is too large for Mastodon/),
      ])
      expect((await check('', [await shop.file({ width: 8000, height: 4148 })])).errors).toEqual([
        'Media has an image with too many pixels for Mastodon (8000 × 4148 are 33,184,000, maximum is 33,177,600)',
      ])
      expect((await check('', [await shop.file({ content_type: 'image/gif' })])).errors).toEqual([
        'Media has an image of type image/gif; Mastodon accepts image/png, image/jpeg',
      ])
      instance.mostCharacters = 500
      await shop.post(`/social_accounts/${id}/sync`)
      await shop.settled()
      expect(await check('x'.repeat(101))).toMatchObject({ valid: true, max_characters: 500 })
      instance.isOld = false
    },
  )
})
