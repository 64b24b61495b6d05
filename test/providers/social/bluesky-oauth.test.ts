import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atProtocolProvider } from '../../../src/features/social/providers/at-protocol/at-protocol.ts'
import type { NetworkParts } from '../../../src/features/social/providers/network.ts'
import {
  type Credentials,
  PlatformRefusedError,
  type SocialProvider,
} from '../../../src/features/social/providers/provider.ts'
import { NoAnswerError, type WebClient } from '../../../src/providers/web/client.ts'
import { createWeb } from '../../../src/providers/web/registry.ts'
import { allowAccess } from '../../support/access.ts'
import { networkParts } from '../../support/network-parts.ts'
import { HAS_PDS, type Pds, startPds } from '../../support/pds.ts'
import { visitServer } from '../../support/pds-pages.ts'
import { type Body, Shop } from '../../support/shop.ts'

const PUBLIC_URL = 'https://shop.example.com'
const POSTS = 'app.bsky.feed.post'

describe.skipIf(!HAS_PDS)('Bluesky on the page of its server', () => {
  const shop = new Shop()
  let pds: Pds
  let owner: Awaited<ReturnType<Pds['account']>>
  beforeAll(async () => {
    pds = await startPds()
    owner = await pds.account('kestrel.test')
    const settings = { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true', PLC_DIRECTORY_URL: pds.plcUrl }
    await shop.open('sqlite', settings, { publicUrl: PUBLIC_URL })
    pds.finds(PUBLIC_URL, shop.running.url)
  }, 60_000)
  afterAll(async () => {
    await shop.close()
    await pds?.close()
  })

  const records = async (): Promise<Body[]> =>
    (await pds.call('com.atproto.repo.listRecords', { query: { repo: owner.did, collection: POSTS } })).records
  const publish = async (account: string, content: string) => {
    const post = await shop.post('/social_posts', { content, social_accounts: [account] })
    await shop.post(`/social_posts/${post.id}/publish`)
    return post.id
  }

  /** How many services the account's owner lets in, as its server counts them. */
  const grants = () => pds.grants(owner.did)

  it('says who the service is, with the half of its key that is for everybody', async () => {
    const answer = await fetch(`${shop.running.url}/social/clients/bluesky.json`)
    expect(answer.headers.get('content-type')).toBe('application/json')
    const document = (await answer.json()) as Body
    expect(document).toMatchObject({
      client_id: `${PUBLIC_URL}/social/clients/bluesky.json`,
      redirect_uris: [`${PUBLIC_URL}/social/callback/bluesky`],
      token_endpoint_auth_method: 'private_key_jwt',
      dpop_bound_access_tokens: true,
    })
    const [key] = document.jwks.keys
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    for (const other of ['mastodon.json', 'x.json', 'bluesky', 'nothing.json'])
      expect((await fetch(`${shop.running.url}/social/clients/${other}`)).status).toBe(404)
  })

  it('is connected where the person allows it, and posts', async () => {
    const account = await allowAccess(shop, { identifier: pds.url, handle: 'kestrel.test' })
    expect(account).toMatchObject({ status: 'connected', username: 'kestrel.test', error_message: null })
    const post = await publish(account.id, 'By the front door')
    await shop.settled()
    expect(await shop.get(`/social_posts/${post}`)).toMatchObject({ status: 'published' })
    expect((await records()).map(({ value }) => value.text)).toEqual(['By the front door'])
    await shop.delete(`/social_accounts/${account.id}`)
    await shop.settled()
  })

  it('is not connected where the person declines', async () => {
    const account = await allowAccess(shop, { identifier: pds.url, handle: 'kestrel.test', allows: false })
    expect(account).toMatchObject({ status: 'pending', username: null, error_message: 'Access was not allowed.' })
  })

  it('renews access once for several jobs at a time, and ends it when the account is disconnected', async () => {
    const { id } = await allowAccess(shop, { identifier: pds.url, handle: 'kestrel.test' })
    const columns = () =>
      shop.db.selectFrom('social_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = await columns()
    expect(Date.parse(before.renew_at!)).toBeGreaterThan(Date.now() + 60_000)
    await shop.set('social_accounts', id, { renew_at: '2026-01-01T00:00:00.000Z' })
    const posts = await Promise.all(['one', 'two', 'three'].map((words) => publish(id, `After renewal: ${words}`)))
    const statuses = () => Promise.all(posts.map(async (post) => (await shop.get(`/social_posts/${post}`)).status))
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(['published', 'published', 'published'])
    const after = await columns()
    expect(after.sealed_credentials).not.toBe(before.sealed_credentials)
    expect(Date.parse(after.renew_at!)).toBeGreaterThan(Date.now() + 60_000)
    expect(await grants()).toBe(1)
    await shop.delete(`/social_accounts/${id}`)
    await shop.settled()
    expect(await grants()).toBe(0)
  })

  describe('asked directly', () => {
    const signal = AbortSignal.timeout(120_000)
    const platform = 'bluesky'
    const publicUrl = 'http://127.0.0.1:3000'
    const asked = { platform, returnUrl: `${publicUrl}/social/callback/bluesky`, signal }
    const apps = { find: async () => null, keep: async () => {} }
    const open = (web: WebClient, more: Partial<NetworkParts> = {}): Provider =>
      atProtocolProvider(networkParts(web, { settings: { PLC_DIRECTORY_URL: pds.plcUrl }, ...more })) as Provider
    const begin = (provider: Provider, identifier: string) =>
      provider.authorization.begin({ ...asked, state: 'the state', entered: { identifier }, apps })
    const login = (credentials: Credentials) => ({
      ...{ platform, id: 'sacct_x', username: 'kestrel.test', test: false, publicUrl, credentials },
    })

    async function grantedBy(provider: Provider): Promise<Credentials> {
      const { url, kept } = await begin(provider, pds.url)
      const back = await visitServer(url, { handle: 'kestrel.test', allows: true })
      const query = Object.fromEntries(back.searchParams)
      expect(query.state).toBe('the state')
      const finished = await provider.authorization.finish({ ...asked, kept, query })
      if ('declined' in finished) throw new Error(finished.declined)
      const [choice, ...others] = finished.choices
      expect(others).toEqual([])
      expect(choice!.profile.username).toBe('kestrel.test')
      return choice!.credentials
    }

    const request = (credentials: Credentials, key: string) => ({
      ...{ login: login(credentials), signal, key, again: false, target: 'x', text: `Once, ${key}`, media: [] },
      firstComment: 'And once below',
    })

    it('finds the server of a handle by the records of its domain', async () => {
      const provider = open(OUTSIDE, {
        domains: { texts: async (name) => (name === '_atproto.kestrel.test' ? [`did=${owner.did}`] : []) },
      })
      const { url } = await begin(provider, '@Kestrel.test')
      expect(new URL(url).origin).toBe(pds.url)
      await expect(begin(provider, 'nobody.test')).rejects.toThrow('No server that lets people allow access was found')
    })

    it('takes a code once, and only with what was kept of the beginning', async () => {
      const provider = open(OUTSIDE)
      const [one, other] = [await begin(provider, pds.url), await begin(provider, pds.url)]
      const back = await visitServer(one.url, { handle: 'kestrel.test', allows: true })
      const query = Object.fromEntries(back.searchParams)
      const finish = (kept: Credentials, changed = {}) =>
        provider.authorization.finish({ ...asked, kept, query: { ...query, ...changed } })
      await expect(finish(other.kept)).rejects.toThrow()
      await expect(finish(one.kept, { iss: 'https://other.example' })).rejects.toThrow()
      const again = await begin(provider, pds.url)
      const second = await visitServer(again.url, { handle: 'kestrel.test', allows: true })
      const right = { ...asked, kept: again.kept, query: Object.fromEntries(second.searchParams) }
      await provider.authorization.finish(right)
      await expect(provider.authorization.finish(right)).rejects.toThrow(PlatformRefusedError)
    })

    it('makes one post of many tries, renews access and ends it', async () => {
      const provider = open(OUTSIDE)
      const credentials = await grantedBy(provider)
      const first = await provider.publish(request(credentials, 'job_1'))
      const again = await provider.publish(request(credentials, 'job_1'))
      expect([again.id, again.firstCommentId]).toEqual([first.id, first.firstCommentId])

      const access = await provider.renew({ login: login(credentials), signal })
      expect(Date.parse(access.renewAt!)).toBeGreaterThan(Date.now())
      expect(access.credentials.session).not.toBe(credentials.session)
      expect((await provider.publish(request(access.credentials, 'job_1'))).id).toBe(first.id)
      await provider.revoke({ login: login(access.credentials), signal })
      await provider.revoke({ login: login(access.credentials), signal })
      const refused = { constructor: PlatformRefusedError, expired: true }
      await expect(provider.renew({ login: login(access.credentials), signal })).rejects.toMatchObject(refused)
      await expect(provider.publish(request(access.credentials, 'job_2'))).rejects.toMatchObject(refused)
    })

    it('makes one post whose answers were lost, and ends access that was lost with an answer', async () => {
      let loses = ''
      const lossy = watched(OUTSIDE, () => {}, { loses: (url) => loses !== '' && url.includes(loses) })
      const provider = open(lossy)
      const credentials = await grantedBy(provider)
      const before = (await records()).length
      loses = 'com.atproto.repo.putRecord'
      for (const _ of ['the post', 'its first comment'])
        await expect(provider.publish(request(credentials, 'job_lost'))).rejects.not.toThrow(PlatformRefusedError)
      loses = ''
      const { id, firstCommentId } = await provider.publish({ ...request(credentials, 'job_lost'), again: true })
      expect([id, firstCommentId]).toEqual([expect.stringMatching(/^at:/), expect.stringMatching(/^at:/)])
      expect((await records()).length).toBe(before + 2)

      loses = '/oauth/token'
      await expect(provider.renew({ login: login(credentials), signal })).rejects.not.toThrow(PlatformRefusedError)
      loses = ''
      await expect(provider.renew({ login: login(credentials), signal })).rejects.toMatchObject({ expired: true })
    })

    it('never renews access by itself, and tells access that ended from access that was withdrawn', async () => {
      const sent: string[] = []
      const web = watched(OUTSIDE, (url) => sent.push(url))
      const provider = open(web)
      const credentials = await grantedBy(provider)
      const saved = JSON.parse(credentials.session!)
      const spoilt = (changes: object) => ({
        ...credentials,
        session: JSON.stringify({ ...saved, tokenSet: { ...saved.tokenSet, access_token: 'x', ...changes } }),
      })
      sent.length = 0
      await expect(provider.publish(request(spoilt({}), 'job_3'))).rejects.toMatchObject({ expired: true })
      const ended = spoilt({ expires_at: '2026-01-01T00:00:00.000Z' })
      await expect(provider.publish(request(ended, 'job_3'))).rejects.not.toThrow(PlatformRefusedError)
      expect(sent.filter((url) => url.endsWith('/oauth/token'))).toEqual([])
      expect((await provider.publish(request(credentials, 'job_3'))).id).toMatch(/^at:/)
    })

    it.each([
      'https://169.254.169.254',
      'https://10.0.0.1',
      'https://[::1]:5432',
      'did:web:169.254.169.254',
      'https://pds.example',
    ])('goes to no private address on the way to a server: %s', async (identifier) => {
      const closed = { WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }
      const strict = open(createWeb(closed, async () => ['10.0.0.1']).outside)
      await expect(begin(strict, identifier)).rejects.toThrow('must be a public address')
      await expect(begin(open(OUTSIDE), 'http://169.254.169.254')).rejects.toThrow('must be a public address')
    })

    it('goes to no private address that an identity or a stored session names', async () => {
      const document = (pdsUrl: string) => ({
        ...{ '@context': ['https://www.w3.org/ns/did/v1'], id: STRANGER, alsoKnownAs: ['at://stranger.test'] },
        service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: pdsUrl }],
      })
      const sent: string[] = []
      const identity = `https://plc.example/${encodeURIComponent(STRANGER)}`
      const named = watched(OUTSIDE, (url) => sent.push(url), {
        answers: { [identity]: document('https://169.254.169.254') },
      })
      const provider = open(named, { settings: { PLC_DIRECTORY_URL: 'https://plc.example' } })
      await expect(begin(provider, STRANGER)).rejects.toThrow('must be a public address')
      expect(sent).toContain('https://169.254.169.254/.well-known/oauth-protected-resource')

      const credentials = await grantedBy(open(OUTSIDE))
      const saved = JSON.parse(credentials.session!)
      for (const changes of [{ aud: 'http://169.254.169.254/' }, { iss: 'https://10.0.0.1' }]) {
        const session = JSON.stringify({ ...saved, tokenSet: { ...saved.tokenSet, ...changes } })
        await expect(open(OUTSIDE).connect({ login: login({ ...credentials, session }), signal })).rejects.toThrow(
          'must be a public address',
        )
      }
      await expect(open(OUTSIDE).connect({ login: login({ session: '{}' }), signal })).rejects.toThrow(
        'the session is not one that this service has stored',
      )
    })

    it('says where people can allow access, where its own address is not one that servers read', async () => {
      const returnUrl = 'http://localhost:3000/social/callback/bluesky'
      const attempt = open(OUTSIDE).authorization.begin({
        ...{ platform, signal, returnUrl, state: 'x', entered: { identifier: pds.url }, apps },
      })
      await expect(attempt).rejects.toThrow('only to a service at an https address, or at http://127.0.0.1')
    })
  })
})

type Provider = SocialProvider & Required<Pick<SocialProvider, 'authorization' | 'renew' | 'revoke'>>

const OUTSIDE = createWeb({ WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: true }).outside
const STRANGER = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa'

interface Watched {
  /** What is answered at some addresses. */
  answers?: Record<string, object>
  /** Whether an answer is lost on its way. */
  loses?: (url: string) => boolean
}

/** The same client, which says where it is asked to go. */
function watched(web: WebClient, note: (url: string) => void, { answers = {}, loses }: Watched = {}): WebClient {
  return {
    checkForm: (url) => web.checkForm(url),
    check: (url) => web.check(url),
    receive: (url, asked, read) => web.receive(url, asked, read),
    async fetch(url, asked) {
      note(url)
      const known = answers[url]
      if (known === undefined) {
        const answer = await web.fetch(url, asked)
        if (loses?.(url)) throw new NoAnswerError('The connection was closed before the response was complete.')
        return answer
      }
      const headers = { 'content-type': 'application/json' }
      return { status: 200, headers, body: Buffer.from(JSON.stringify(known)) }
    },
  }
}
