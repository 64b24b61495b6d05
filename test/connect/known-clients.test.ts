import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInConfigurations } from '../../src/access/client-configuration.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { type Site, startSite } from '../support/local-site.ts'
import { Client, Person } from './oauth.ts'

let running: RunningApp
let owner: Person
let site: Site
beforeAll(async () => {
  running = await startApp()
  owner = await Person.owner(running)
  site = await startSite()
})
afterAll(async () => {
  await site.close()
  await running.close()
  expect(running.errors).toEqual([])
})

/** The metadata that clients document, the callback that they then send, and the scope that they ask for. */
interface KnownClient {
  metadata: { client_name: string; redirect_uris: string[]; [field: string]: unknown }
  callback?: string
  scope?: string
}

const PUBLIC = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

const WITH_DOCUMENT: KnownClient[] = [
  {
    metadata: { client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'], ...PUBLIC },
  },
  {
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      ...PUBLIC,
    },
    callback: 'http://localhost:53682/callback',
  },
  {
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      ...PUBLIC,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      ...PUBLIC,
    },
    callback: 'http://127.0.0.1:41234/callback',
  },
  {
    metadata: {
      client_name: 'Visual Studio Code',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      ...PUBLIC,
    },
    callback: 'http://127.0.0.1:50001/',
  },
]

const REGISTERING: KnownClient[] = [
  {
    metadata: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...PUBLIC,
    },
    scope: 'every',
  },
  {
    metadata: {
      client_name: 'Visual Studio Code',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      application_type: 'native',
      ...PUBLIC,
    },
    callback: 'http://127.0.0.1:50001/',
  },
  {
    metadata: { client_name: 'Gemini CLI', redirect_uris: ['http://localhost:7777/oauth/callback'], ...PUBLIC },
  },
  {
    metadata: { client_name: 'ChatGPT', redirect_uris: ['https://chatgpt.com/connector/oauth/x1'], ...PUBLIC },
  },
  {
    metadata: { client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'], ...PUBLIC },
    scope: 'read offline_access',
  },
]

interface ServerMetadata {
  issuer: string
  scopes_supported: string[]
  [field: string]: unknown
}

async function serverMetadata(): Promise<ServerMetadata> {
  const answer = await fetch(`${running.url}/.well-known/oauth-authorization-server/connect`)
  return (await answer.json()) as ServerMetadata
}

async function connects(client: Client, { metadata, callback, scope }: KnownClient): Promise<void> {
  const { issuer, scopes_supported } = await serverMetadata()
  const redirect_uri = callback ?? metadata.redirect_uris[0]!
  const asked = scope === 'every' ? scopes_supported.join(' ') : (scope ?? null)
  const { location } = await owner.decide(client.authorizeUrl({ redirect_uri, scope: asked }))
  expect(location).toMatch(redirect_uri)
  const sent = new URL(location!).searchParams
  expect(sent.get('iss')).toBe(issuer)
  const { status, body } = await client.exchange(sent.get('code')!, { redirect_uri })
  expect([status, body.token_type]).toEqual([200, 'Bearer'])
  const renewed = await client.refresh(body.refresh_token)
  expect(renewed.status).toBe(200)
  expect(renewed.body.refresh_token).not.toBe(body.refresh_token)
}

it('says in its metadata what these clients look for', async () => {
  expect(await serverMetadata()).toMatchObject({
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    registration_endpoint: expect.stringMatching(/\/connect\/register$/),
  })
})

it.each(WITH_DOCUMENT)('connects $metadata.client_name by its document', async (known) => {
  const path = `/${encodeURIComponent(known.metadata.client_name)}.json`
  const document = JSON.stringify({ client_id: site.url + path, ...known.metadata })
  site.pages.set(path, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(document)
  })
  await connects(new Client(running, site.url + path), known)
})

it.each(REGISTERING)('connects $metadata.client_name by registration', async (known) => {
  await connects(await Client.registered(running, known.metadata), known)
})

it('shows the same configurations in the documentation and in the dashboard', async () => {
  const guide = await (await fetch(`${running.url}/docs/clients.md`)).text()
  const { html } = await owner.browser.open(`${running.url}/dashboard/my-shop/developers/connections`)
  const dashboard = html.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const texts = signInConfigurations(running.url).map(({ text }) => text)
  expect(texts.filter((text) => !guide.includes(text))).toEqual([])
  expect(texts.filter((text) => !dashboard.includes(text))).toEqual([])
})
