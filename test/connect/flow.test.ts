import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { GENERATIONS } from './generations.ts'
import { Person } from './oauth.ts'
import { Remembering } from './remembering.ts'

const READ = { name: 'code_execute', arguments: { code: 'get("/account")["object"]' } }

describe.each(gateEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a client that knows an address alone', () => {
    let running: RunningApp
    let owner: Person
    beforeAll(async () => {
      running = await startApp({ engine: name })
      owner = await Person.owner(running)
    })
    afterAll(async () => {
      await running.close()
      expect(running.errors).toEqual([])
    })

    describe.each(GENERATIONS)('of the $generation generation', ({ connect, finish, renew }) => {
      it('registers, asks the person, calls tools, renews its tokens, and asks again when it was let out', async () => {
        const address = `${running.url}/connect`
        const provider = new Remembering()
        await expect(connect(address, provider)).rejects.toThrow(/unauthorized/i)
        expect(provider.asked).toEqual([
          'POST /connect',
          'GET /.well-known/oauth-protected-resource/connect',
          'GET /.well-known/oauth-authorization-server/connect',
          'POST /connect/register',
        ])

        const { location } = await owner.decide(provider.sentTo!, { right: 'write' })
        const back = new URL(location!)
        expect(`${back.origin}${back.pathname}`).toBe(provider.redirectUrl)
        expect(back.searchParams.get('state')).toBe(provider.state())
        expect(back.searchParams.get('iss')).toBe(address)
        await finish(address, provider, back)
        expect(provider.saved).toMatchObject({ token_type: 'Bearer', scope: 'write' })

        const client = await connect(address, provider)
        expect((await client.callTool(READ)).structuredContent).toEqual({ result: 'account' })
        await client.close()

        const before = provider.saved!.access_token
        await renew(address, provider)
        expect(provider.saved!.access_token).not.toBe(before)
        const renewed = await connect(address, provider)
        expect((await renewed.callTool(READ)).structuredContent).toEqual({ result: 'account' })
        await renewed.close()

        await running.app.database.transaction(({ db }) =>
          db
            .updateTable('connections')
            .set({ status: 'revoked' })
            .where('client_id', '=', provider.known!.client_id)
            .execute(),
        )
        provider.sentTo = null
        await expect(connect(address, provider)).rejects.toThrow(/unauthorized/i)
        expect(provider.sentTo).not.toBeNull()
      })

      it('is never led to OAuth by /mcp, where its configured header counts', async () => {
        const provider = new Remembering()
        provider.headers = { authorization: `Bearer ${running.token}` }
        const client = await connect(`${running.url}/mcp`, provider)
        expect((await client.callTool(READ)).structuredContent).toEqual({ result: 'account' })
        await client.close()
        expect(provider.asked.filter((one) => !one.endsWith(' /mcp'))).toEqual([])
      })

      it('finds no authorization server from /mcp, wherever it looks', async () => {
        const provider = new Remembering()
        await expect(connect(`${running.url}/mcp`, provider)).rejects.toThrow()
        expect(provider.sentTo).toBeNull()
        expect(provider.known).toBeUndefined()
        expect(provider.asked).toEqual([
          'POST /mcp',
          'GET /.well-known/oauth-protected-resource/mcp',
          'GET /.well-known/oauth-protected-resource',
          'GET /.well-known/oauth-authorization-server',
          'GET /.well-known/openid-configuration',
          'POST /register',
        ])
        expect(new Set(provider.statuses.slice(1))).toEqual(new Set([404]))
      })
    })
  })
})
