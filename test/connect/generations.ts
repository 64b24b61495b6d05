import { auth as auth2, Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Remembering } from './remembering.ts'

const me = { name: 'test', version: '1.0.0' }

/** The clients that people use are built on one of these. */
export const GENERATIONS = [
  {
    generation: 'first',
    async connect(address: string, provider: Remembering) {
      const client = new Client1(me)
      const transport = new Http1(new URL(address), { authProvider: provider as never, fetch: provider.fetch })
      await client.connect(transport as Transport)
      return client
    },
    finish: (address: string, provider: Remembering, back: URL) =>
      auth1(provider as never, {
        serverUrl: address,
        authorizationCode: back.searchParams.get('code')!,
        fetchFn: provider.fetch,
      }),
    renew: (address: string, provider: Remembering) =>
      auth1(provider as never, { serverUrl: address, fetchFn: provider.fetch }),
  },
  {
    generation: 'second',
    async connect(address: string, provider: Remembering) {
      const client = new Client2(me, { versionNegotiation: { mode: 'auto' } })
      const transport = new Http2(new URL(address), { authProvider: provider as never, fetch: provider.fetch })
      await client.connect(transport)
      return client
    },
    finish: (address: string, provider: Remembering, back: URL) =>
      auth2(provider as never, {
        serverUrl: address,
        authorizationCode: back.searchParams.get('code')!,
        iss: back.searchParams.get('iss')!,
        fetchFn: provider.fetch,
      }),
    renew: (address: string, provider: Remembering) =>
      auth2(provider as never, { serverUrl: address, fetchFn: provider.fetch }),
  },
]
