import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { formOf } from './browser.ts'
import { CALLBACK, Client, callTool, Person, told } from './oauth.ts'

const READ = 'get("/account")["id"]'

describe.each(gateEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('somebody who is not the client', () => {
    let running: RunningApp
    let owner: Person
    let client: Client
    beforeAll(async () => {
      running = await startApp({ engine: name })
      owner = await Person.owner(running)
      client = await Client.registered(running)
    })
    afterAll(async () => {
      await running.close()
      expect(running.errors).toEqual([])
    })

    const isGone = async (token: string) => expect((await callTool(running, token, READ)).status).toBe(401)
    const works = async (token: string) =>
      expect((await callTool(running, token, READ)).body.result.structuredContent.result).toBe(running.accountId)
    const refused = (error: string) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })

    it('uses a code a second time, which ends the connection that came of it', async () => {
      const code = await client.code(owner)
      const { access_token } = (await client.exchange(code)).body
      await works(access_token)
      expect(await client.exchange(code)).toMatchObject(refused('invalid_grant'))
      await isGone(access_token)
    })

    it.each([
      ['with a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      ['with another redirect_uri', { redirect_uri: 'https://client.example/other' }, 'invalid_grant'],
    ])('brings a code %s, which is worth nothing from then on', async (_how, more, error) => {
      const code = await client.code(owner)
      expect(await client.exchange(code, more)).toMatchObject(refused(error))
      expect(await client.exchange(code)).toMatchObject(refused('invalid_grant'))
    })

    it.each([
      ['without a verifier', { code_verifier: '' }, 'invalid_request'],
      ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
      ['for /mcp', { resource: 'http://127.0.0.1/mcp' }, 'invalid_target'],
    ])('brings a code %s', async (_how, more, error) => {
      expect(await client.exchange(await client.code(owner), more)).toMatchObject(refused(error))
    })

    it("brings another client's code, or refresh token", async () => {
      const thief = await Client.registered(running)
      const code = await client.code(owner)
      expect(await thief.exchange(code, { code_verifier: client.verifier })).toMatchObject(refused('invalid_grant'))
      const tokens = await client.connect(owner)
      expect(await thief.refresh(tokens.refresh_token)).toMatchObject(refused('invalid_grant'))
      expect(await thief.revoke(tokens.refresh_token)).toMatchObject(refused('unauthorized_client'))
      await works(tokens.access_token)
    })

    it('brings a code that is too old', async () => {
      const code = await client.code(owner)
      await age('oauth_codes', 'expires_at')
      expect(await client.exchange(code)).toMatchObject(refused('invalid_grant'))
    })

    it('uses a refresh token a second time, which ends the connection', async () => {
      const first = await client.connect(owner)
      const second = (await client.refresh(first.refresh_token)).body
      await works(second.access_token)
      await age('oauth_tokens', 'rotated_at')
      expect(await client.refresh(first.refresh_token)).toMatchObject(refused('invalid_grant'))
      await isGone(second.access_token)
      await isGone(first.access_token)
      expect(await client.refresh(second.refresh_token)).toMatchObject(refused('invalid_grant'))
    })

    it('is not taken for one: requests of a client that run out of time together all get new tokens', async () => {
      const first = await client.connect(owner)
      const answers = await Promise.all([1, 2, 3].map(() => client.refresh(first.refresh_token)))
      for (const { body } of answers) await works(body.access_token)
    })

    it('brings an access token that is too old', async () => {
      const { access_token, refresh_token } = await client.connect(owner)
      await age('oauth_tokens', 'expires_at')
      const answer = await callTool(running, access_token, READ)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", .*resource_metadata="http.+", scope="write propose read"$/,
      )
      expect(await client.refresh(refresh_token)).toMatchObject(refused('invalid_grant'))
    })

    it('takes a token of /connect to /mcp or the API, an API token to /connect, or a refresh token to any', async () => {
      const { access_token, refresh_token } = await client.connect(owner)
      expect((await callTool(running, access_token, READ, '/mcp')).status).toBe(401)
      expect((await running.api('GET', '/account', undefined, { token: access_token })).status).toBe(401)
      const answer = await callTool(running, running.token, READ)
      expect([answer.status, answer.body.error.message]).toEqual([
        401,
        `This is an API token; use it at ${running.url}/mcp.`,
      ])
      await isGone(refresh_token)
      expect(await client.refresh(access_token)).toMatchObject(refused('invalid_grant'))
    })

    describe('sends a person to the page', () => {
      const open = (more: Record<string, string | null>) => owner.browser.open(client.authorizeUrl(more))

      it.each([
        ['of a client that there is not', { client_id: 'client_01m82n7s68fag99965dggczw40' }],
        ['of no client', { client_id: null }],
        ['to be sent elsewhere', { redirect_uri: 'https://evil.example/callback' }],
        ['to be sent to a longer address', { redirect_uri: `${CALLBACK}/more` }],
        ['to be sent to the address with a query', { redirect_uri: `${CALLBACK}?a=b` }],
        ['to be sent to another port', { redirect_uri: 'https://client.example:444/callback' }],
        ['to be sent nowhere', { redirect_uri: null }],
      ])('%s, and the browser stays here', async (_how, more) => {
        const seen = await open(more)
        expect([seen.status, seen.location]).toEqual([400, null])
        expect(seen.html).not.toContain('evil.example')
      })

      it.each([
        ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
        ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
        ['with a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
        ['for a token at once', { response_type: 'token' }, 'unsupported_response_type'],
        ['for another resource', { resource: 'https://other.example/connect' }, 'invalid_target'],
      ])(
        '%s, who is asked before being sent to an address that anybody may have registered',
        async (_how, more, error) => {
          const seen = await open(more)
          expect([seen.status, seen.location]).toEqual([400, null])
          const way = new URL(/<a class="button primary" href="([^"]+)"/.exec(seen.html)![1]!.replaceAll('&amp;', '&'))
          expect(way.origin + way.pathname).toBe(CALLBACK)
          expect(Object.fromEntries(way.searchParams)).toMatchObject({
            error,
            state: 'a state & more',
            iss: `${running.url}/connect`,
          })
        },
      )

      it('at a port of this computer, which is told at once', async () => {
        const local = await Client.registered(running, { redirect_uris: ['http://localhost/back'] })
        const redirect_uri = 'http://localhost:45678/back'
        const seen = await owner.browser.open(local.authorizeUrl({ redirect_uri, code_challenge_method: 'plain' }))
        expect(seen.status).toBe(303)
        expect(seen.location).toMatch(/^http:\/\/localhost:45678\/back\?error=invalid_request&/)
      })

      it('with the same parameter twice', async () => {
        const seen = await owner.browser.open(`${client.authorizeUrl()}&redirect_uri=https://evil.example/`)
        expect([seen.status, seen.location]).toEqual([400, null])
      })
    })

    describe('sends the form of the page', () => {
      it.each([
        ['from another site', { 'sec-fetch-site': 'cross-site' }],
        ['from another origin of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' }],
      ])('%s', async (_how, headers) => {
        const { hidden } = formOf(await owner.browser.open(client.authorizeUrl()))
        const fields = { ...hidden, right: 'write', do: 'allow' }
        const seen = await owner.browser.send(`${running.url}/connect/authorize`, fields, headers)
        expect([seen.status, seen.location]).toEqual([403, null])
      })

      it('without its proof, with that of another session, or for another request', async () => {
        const form = formOf(await owner.browser.open(client.authorizeUrl()))
        const elsewhere = formOf(await (await Person.owner(running)).browser.open(client.authorizeUrl()))
        const request = new URL(client.authorizeUrl({ state: 'other' })).search.slice(1)
        const changes: Record<string, string>[] = [{ proof: '' }, { proof: elsewhere.hidden.proof! }, { request }]
        for (const changed of changes) expect((await owner.send(form, changed)).status).toBe(403)
      })

      it('for an account of somebody else, or for a right that was not asked for', async () => {
        const other = await running.another(`other-${name}`)
        const form = formOf(await owner.browser.open(client.authorizeUrl({ scope: 'read' })))
        expect(form.choices.right).toEqual({ values: ['read'], chosen: 'read' })
        const choices: Record<string, string>[] = [{ account: other.accountId }, { right: 'write' }, { right: 'admin' }]
        for (const wrong of choices) expect((await owner.send(form, wrong)).status).toBe(422)
      })

      it('without having signed in', async () => {
        const nobody = new Person(running, null)
        const { status, location } = await nobody.browser.open(client.authorizeUrl())
        expect(status).toBe(303)
        const next = new URL(location!).searchParams.get('next')!
        expect(new URL(next, running.url).href).toBe(client.authorizeUrl())
        const form = formOf(await owner.browser.open(client.authorizeUrl()))
        expect((await nobody.send(form)).location).toMatch(/\/sign-in\?next=/)
      })
    })

    it('frames the page, or makes it run a script', async () => {
      const evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202Eelgoog'
      const mallory = await Client.registered(running, { client_name: evil })
      const { html, headers } = await owner.browser.open(mallory.authorizeUrl({ state: '"><script>alert(2)</script>' }))
      expect(html).not.toMatch(/<script|<img|\u202E/)
      expect(html).toContain('&lt;script&gt;alert(1)')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://client.example; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('finds tokens or codes in the database', async () => {
      const code = await client.code(owner)
      const { access_token, refresh_token } = (await client.exchange(code)).body
      const rows = await Promise.all(
        (['oauth_tokens', 'oauth_codes', 'connections', 'oauth_clients'] as const).map((table) =>
          running.app.database.read.selectFrom(table).selectAll().execute(),
        ),
      )
      for (const secret of [code, access_token, refresh_token, client.verifier]) {
        const plainHash = createHash('sha256').update(secret).digest('hex')
        expect(JSON.stringify(rows)).not.toContain(secret)
        expect(JSON.stringify(rows)).not.toContain(plainHash)
      }
    })

    it.each([
      ['PUT', '/connect/token'],
      ['GET', '/connect/token'],
      ['DELETE', '/connect/register'],
      ['POST', '/.well-known/oauth-authorization-server/connect'],
    ])('asks with %s %s', async (method, path) => {
      const answer = await told(fetch(running.url + path, { method }))
      expect([answer.status, answer.body.error]).toEqual([405, 'invalid_request'])
      expect(answer.headers.get('allow')).toBeTruthy()
    })

    it.each([
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{}, 'invalid_request'],
      [{ grant_type: 'refresh_token' }, 'invalid_request'],
      [{ grant_type: 'refresh_token', client_id: 'client_0', refresh_token: 'x' }, 'invalid_client'],
    ])('asks for tokens with %j', async (form, error) => {
      const answer = await client.token(form as Record<string, string>)
      expect(answer).toMatchObject(refused(error))
      expect(answer.headers.get('cache-control')).toBe('no-store')
    })

    /** Moves what a table says back by a year. */
    async function age(table: 'oauth_tokens' | 'oauth_codes', column: 'expires_at' | 'rotated_at'): Promise<void> {
      const past = { [column]: '2025-01-01T00:00:00Z' }
      await running.app.database.transaction(({ db }) =>
        db
          .updateTable(table)
          .set(past)
          .where(column as 'expires_at', 'is not', null)
          .execute(),
      )
    }
  })
})
