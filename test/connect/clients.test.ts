import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { redirectTo, type Site, type SiteAnswer, startSite } from '../support/local-site.ts'
import { CALLBACK, Client, callTool, Person, postForm, register } from './oauth.ts'

const DOCUMENT = '/client.json'

describe.each(gateEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a client', () => {
    let running: RunningApp
    let owner: Person
    let site: Site
    beforeAll(async () => {
      running = await startApp({ engine: name })
      owner = await Person.owner(running)
      site = await startSite()
    })
    afterAll(async () => {
      await site.close()
      await running.close()
      expect(running.errors).toEqual([])
    })

    describe('that registers itself', () => {
      it('is told what was taken, whatever it asked for', async () => {
        const { status, headers, body } = await register(running, {
          client_name: '  A \u200B name\n',
          redirect_uris: [CALLBACK, 'cursor://anysphere.cursor-retrieval/callback', 'com.example.app:/callback'],
          grant_types: ['authorization_code', 'refresh_token', 'password'],
          token_endpoint_auth_method: 'client_secret_basic',
          scope: 'everything',
          logo_uri: 'https://client.example/logo.png',
        })
        expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
        expect(body).toEqual({
          client_id: expect.stringMatching(/^client_/),
          client_id_issued_at: expect.any(Number),
          client_name: 'A name',
          redirect_uris: [CALLBACK, 'cursor://anysphere.cursor-retrieval/callback', 'com.example.app:/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        })
      })

      it.each([
        'javascript:alert(1)',
        'javascript://client.example/%0aalert(1)',
        'data:text/html,<script>alert(1)</script>',
        'vbscript:msgbox(1)',
        'file:///etc/passwd',
        'blob:https://client.example/1',
        'http://client.example/callback',
        'http://localhost.evil.example/callback',
        'https://user:password@client.example/callback',
        'https://client.example/callback#fragment',
        'https://client.example/call\nback',
        ' https://client.example/callback',
        'client.example/callback',
        '/callback',
        'mailto:ada@example.com',
        `https://client.example/${'x'.repeat(1990)}`,
      ])('may not be sent back to %j', async (uri) => {
        const { status, body } = await register(running, { redirect_uris: [CALLBACK, uri] })
        expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/)])
      })

      it.each([
        ['no addresses', { redirect_uris: [] }],
        ['nothing', {}],
        ['too many addresses', { redirect_uris: Array(21).fill(CALLBACK) }],
        ['a list', []],
        ['a name that is no text', { redirect_uris: [CALLBACK], client_name: 5 }],
        ['another grant', { redirect_uris: [CALLBACK], grant_types: ['client_credentials'] }],
        ['another answer', { redirect_uris: [CALLBACK], response_types: ['token'] }],
      ])('is refused with %s', async (_what, metadata) => {
        const { status, body } = await register(running, metadata)
        expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
      })

      it.each([
        ['too large', JSON.stringify({ redirect_uris: [CALLBACK], client_name: 'x'.repeat(20_000) }), 413],
        ['no JSON', 'redirect_uris=', 400],
      ])('is refused with a body that is %s', async (_how, body, status) => {
        const answer = await register(running, body)
        expect([answer.status, answer.body.error]).toEqual([status, 'invalid_request'])
      })

      it('may use any name, so the page says that nobody vouches for it', async () => {
        const client = await Client.registered(running, { client_name: 'Claude' })
        const { html } = await owner.browser.open(client.authorizeUrl())
        expect(html).toContain('Not verified.')
        expect(html).toContain('<strong>client.example</strong>')
      })

      it('is forgotten after a while when nobody has let it in, and told so', async () => {
        const unused = await Client.registered(running)
        const used = await Client.registered(running)
        const { refresh_token } = await used.connect(owner)
        await running.app.database.transaction(({ db }) =>
          db.updateTable('oauth_clients').set({ expires_at: '2025-01-01T00:00:00Z' }).where('used', '=', 0).execute(),
        )
        expect((await owner.browser.open(unused.authorizeUrl())).status).toBe(400)
        expect(await unused.refresh('shpwr_x')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
        expect((await used.refresh(refresh_token)).status).toBe(200)
      })
    })

    describe('that is known by a document', () => {
      const clientId = () => site.url + DOCUMENT
      const serve = (more: object = {}, type = 'application/json') => {
        const document = { client_id: clientId(), client_name: 'Known', redirect_uris: [CALLBACK], ...more }
        site.pages.set(DOCUMENT, (response) => {
          response.writeHead(200, { 'content-type': type }).end(JSON.stringify(document))
        })
      }

      it('connects without registering, and its domain is named', async () => {
        serve()
        const client = new Client(running, clientId())
        const { html } = await owner.browser.open(client.authorizeUrl())
        expect(html).toContain('Verified: it belongs to <strong>127.0.0.1</strong>.')
        const tokens = await client.connect(owner, { right: 'read' })
        expect(tokens.scope).toBe('read')
        expect((await callTool(running, tokens.access_token, 'get("/account")["object"]')).status).toBe(200)
        expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
        expect(site.asked.filter((path) => path === DOCUMENT)).toHaveLength(1)
      })

      it('is told of its mistakes at once', async () => {
        const client = new Client(running, clientId())
        const { status, location } = await owner.browser.open(client.authorizeUrl({ code_challenge: null }))
        expect([status, location]).toEqual([303, expect.stringMatching(/^https:\/\/client\.example\/callback\?error=/)])
      })

      let made = 0
      const refusals: [string, SiteAnswer | object, RegExp][] = [
        ['that leads on to this machine', redirectTo('http://127.0.0.1:1/secret'), /redirects to another/],
        ['that leads on to itself', redirectTo('/client.json', 308), /redirects to another/],
        ['that is not there', 404, /status 404/],
        ['that is about another client', { client_id: 'https://other.example/client.json' }, /another client_id/],
        ['that is a page', '<html></html>', /not JSON/],
        ['that is too large', { client_name: 'x'.repeat(11_000) }, /larger than 10 KB/],
        ['that names bad addresses', { redirect_uris: ['javascript:alert(1)'] }, /must not use the scheme/],
        ['that asks for a secret', { token_endpoint_auth_method: 'client_secret_post' }, /client secret/],
        ['that is not finished', (response) => response.socket?.destroy(), /cannot be fetched/],
      ]
      it.each(refusals)('is unknown with a document %s', async (_how, answer, problem) => {
        const path = `/wrong-${++made}.json`
        const id = site.url + path
        const isDocument = typeof answer === 'object'
        site.pages.set(path, (response) => {
          if (typeof answer === 'function') return answer(response, site)
          if (typeof answer === 'number') return void response.writeHead(answer).end()
          const document = { client_id: id, redirect_uris: [CALLBACK], ...(isDocument && answer) }
          response
            .writeHead(200, { 'content-type': isDocument ? 'application/json' : 'text/html' })
            .end(isDocument ? JSON.stringify(document) : answer)
        })
        const seen = await owner.browser.open(new Client(running, id).authorizeUrl())
        expect([seen.status, seen.location]).toEqual([400, null])
        expect(seen.html).toMatch(problem)
        const before = site.asked.length
        await owner.browser.open(new Client(running, id).authorizeUrl())
        expect(site.asked.length).toBe(before)
      })

      it.each([
        'https://10.0.0.1/client.json',
        'https://169.254.169.254/latest/meta-data',
        'https://[fd00::1]/client.json',
        'http://client.example/client.json',
        'https://client.example/',
        'https://client.example',
        'https://client.example/a/../client.json',
        'https://user@client.example/client.json',
        'https://client.example/client.json#fragment',
        'https://client.example:22/client.json',
        `https://client.example/${'x'.repeat(500)}`,
      ])('may not be at %s', async (id) => {
        const seen = await owner.browser.open(new Client(running, id).authorizeUrl())
        expect([seen.status, seen.location]).toEqual([400, null])
      })

      it('is fetched for people who are signed in alone', async () => {
        const path = '/unseen.json'
        const nobody = new Person(running, null)
        const client = new Client(running, site.url + path)
        expect((await nobody.browser.open(client.authorizeUrl())).status).toBe(303)
        const tries = await Promise.all([client.exchange('shpwc_x'), client.revoke('x')])
        expect(tries.map(({ status }) => status)).toEqual([400, 200])
        expect(site.asked).not.toContain(path)
      })
    })
  })
})

describe('a service without a way out', () => {
  let running: RunningApp
  beforeAll(async () => {
    running = await startApp({ settings: { CLIENT_DOCUMENTS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'false' } })
  })
  afterAll(() => running.close())

  it('has every client register itself', async () => {
    const address = `${running.url}/.well-known/oauth-authorization-server/connect`
    const metadata = (await (await fetch(address)).json()) as Record<string, unknown>
    expect(metadata.client_id_metadata_document_supported).toBe(false)
    const owner = await Person.owner(running)
    const client = new Client(running, 'https://client.example/client.json')
    expect((await owner.browser.open(client.authorizeUrl())).status).toBe(400)
  })

  it('takes some registrations of a network at once, and then one a minute', async () => {
    const statuses = new Set<number>()
    for (let made = 0; made < 31; made++) {
      const { status, headers } = await register(running, { redirect_uris: [CALLBACK] })
      statuses.add(status)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect([...statuses]).toEqual([201, 429])
    expect((await postForm(`${running.url}/connect/token`, {})).status).toBe(400)
  })
})
