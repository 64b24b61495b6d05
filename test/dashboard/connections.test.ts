import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../support/person.ts'
import { Shop } from '../support/shop.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const PAGE = '/dashboard/my-shop/settings/connections'
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('The page of connections', () => {
  const pretending = new Shop()
  const real = new Shop()
  beforeAll(async () => {
    await pretending.open('sqlite', {})
    await pretending.patch('/x402_configuration', { x402_enabled: true, x402_wallet_address: WALLET })
    await real.open('sqlite', {
      ...{ SANDBOX_PROVIDERS: 'false', MODEL_PROVIDER: 'openai-compatible', MODEL_ID: 'm' },
      SITES_DOMAIN: 'sites.example',
      ...{ X402_RPC_URLS: 'base=http://127.0.0.1:9/rpc-key-not-to-be-seen', X402_SETTLER_KEY: `0x${'7'.repeat(64)}` },
      ...{ MODEL_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_API_KEY: 'sk-not-to-be-seen' },
    })
  })
  afterAll(async () => {
    await pretending.close()
    await real.close()
  })

  it('says what is simulated and what to set', async () => {
    const { html } = await (await signIn(pretending.running)).get(PAGE)
    const words = wordsOf(html)
    expect(words).toContain(
      'Set a model of your own under Settings, Model. Or ask whoever runs this service to set it up.',
    )
    expect(words).toContain('For whoever runs this service Set MODEL_PROVIDER, MODEL_ID')
    const forMerchants = html.replaceAll(/<details[\s\S]*?<\/details>/g, '')
    expect(forMerchants.match(/\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/g)).toBeNull()
    expect(words).toContain('Bluesky and Mastodon Simulated Posts stay on this service')
    expect(words).toContain(
      '(x402) Not set up Programs cannot pay. Ask whoever runs this service to set it up. For whoever runs this service Set X402_RPC_URLS to a node of each chain',
    )
    expect(words).toContain(
      'Sites Simulated The built-in builder makes them from briefs, and they are served below localhost',
    )
    expect(words).toMatch(/E-mail Simulated .*outbox/)
  })

  it('says what is ready, and shows no secret', async () => {
    const { html } = await (await signIn(real.running)).get(PAGE)
    const words = wordsOf(html)
    expect(words).toContain('Bluesky and Mastodon Ready Posts are published on the network.')
    expect(words).toContain(
      'YouTube Not set up It needs an app that whoever runs the service registers at the network.',
    )
    expect(words).toContain('Model for tasks and questions Ready')
    expect(words).toContain('Sites Ready A model makes them from briefs, and they are served below sites.example.')
    expect(words).toContain('(x402) Not set up Programs cannot pay, because x402 is off. Turn x402 on under Settings')
    expect(html).not.toMatch(/not-to-be-seen|7777/)
    await real.patch('/x402_configuration', { x402_enabled: true, x402_wallet_address: WALLET })
    const then = wordsOf((await (await signIn(real.running)).get(PAGE)).html)
    expect(then).toContain('(x402) Ready Programs pay straight to your wallet on base.')
  })
})
