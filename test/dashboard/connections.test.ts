import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLATFORM_NAMES } from '../../src/features/social/resources/social-platform/social-platform.ts'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { settingMeanings } from '../../src/settings/config.ts'
import { signIn } from '../support/person.ts'
import { formPagesOf } from '../support/repeated-rows.ts'
import { Shop } from '../support/shop.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const BASE = '/dashboard/my-shop'
const PAGE = `${BASE}/settings/connections`
const SETTING = new RegExp(
  `\\b(${settingMeanings()
    .map(({ name }) => name)
    .join('|')})\\b`,
  'g',
)
const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('The page of connections', () => {
  const pretending = new Shop()
  const partly = new Shop()
  const real = new Shop()
  beforeAll(async () => {
    await pretending.open('sqlite', {})
    await pretending.patch('/x402_configuration', { x402_enabled: true, x402_wallet_address: WALLET })
    await partly.open('sqlite', {
      ...{ X402_RPC_URLS: 'base=http://127.0.0.1:9', X402_SETTLER_KEY: `0x${'7'.repeat(64)}` },
      ...{ STRIPE_SECRET_KEY: `sk_test_${'7'.repeat(24)}`, STRIPE_WEBHOOK_SECRET: `whsec_${'7'.repeat(24)}` },
      ...{ STRIPE_API_URL: 'http://127.0.0.1:9' },
    })
    await real.open('sqlite', {
      ...{ SIMULATED_PROVIDERS: 'false', MODEL_PROVIDER: 'openai-compatible', MODEL_ID: 'm' },
      SITES_DOMAIN: 'sites.example',
      ...{ X402_RPC_URLS: 'base=http://127.0.0.1:9/rpc-key-not-to-be-seen', X402_SETTLER_KEY: `0x${'7'.repeat(64)}` },
      ...{ MODEL_BASE_URL: 'http://127.0.0.1:9/v1', MODEL_API_KEY: 'sk-not-to-be-seen' },
    })
  })
  afterAll(async () => {
    await pretending.close()
    await partly.close()
    await real.close()
  })

  it('says what is simulated and what to set', async () => {
    const { html } = await (await signIn(pretending.running)).get(PAGE)
    const words = wordsOf(html)
    expect(words).toContain(
      'Set a model of your own under Settings, Model. Or ask whoever runs this service to set it up.',
    )
    expect(words).toContain('For whoever runs this service Set MODEL_PROVIDER, MODEL_ID')
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

  it.each([
    ['pretends', pretending, ''],
    ['reaches some of what is outside', partly, '/settings/'],
    ['reaches outside', real, '/settings/'],
  ])(
    'is the only one that names a setting, and only for the operator, where the service %s',
    async (_, shop, below) => {
      const x402 = { x402_enabled: true, x402_wallet_address: WALLET, x402_chain: 'polygon' }
      await shop.api('PATCH', '/x402_configuration', x402)
      const person = await signIn(shop.running)
      const { pipeline } = shop.running.app
      const lists = new Catalogue(pipeline).all().flatMap(({ path, list }) => (list ? [`${BASE}/${path}`] : []))
      const pages = [BASE, ...lists, ...formPagesOf(BASE, pipeline, {})]
      const named: string[][] = []
      const look = (path: string, html: string) => {
        const forMerchants = html.replaceAll(/<details class="unset">[\s\S]*?<\/details>/g, '')
        named.push(...(forMerchants.match(SETTING) ?? []).map((name) => [path, name]))
      }
      for (const path of pages.filter((one) => one.startsWith(BASE + below))) look(path, (await person.get(path)).html)
      const connect = `${BASE}/social_accounts/new`
      for (const platform of PLATFORM_NAMES) look(connect, (await person.submit(connect, { platform })).html)
      expect(named).toEqual([])
      expect(pages.length).toBeGreaterThan(80)
    },
  )
})
