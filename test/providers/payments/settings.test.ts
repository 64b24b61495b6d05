import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/settings/config.ts'
import { apiKeys, pemOf } from '../../support/facilitator-tokens.ts'
import { STRIPE_CONNECT_WEBHOOK_SECRET, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../support/stripe-server.ts'

const keys = { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET }

describe('The settings of Stripe', () => {
  it('are a key and the secret of its notices, together or not at all', () => {
    expect(readSettings(keys)).toMatchObject(keys)
    expect(readSettings({}).STRIPE_SECRET_KEY).toBeUndefined()
    const two = { ...keys, STRIPE_WEBHOOK_SECRET: 'whsec_old,whsec_new' }
    expect(readSettings(two)).toMatchObject(two)
    const alone = () => readSettings({ STRIPE_SECRET_KEY: STRIPE_KEY })
    expect(alone).toThrow('STRIPE_WEBHOOK_SECRET is missing: STRIPE_SECRET_KEY needs it')
  })

  it('are refused in another form, without being repeated', () => {
    for (const [name, given] of [
      ['STRIPE_SECRET_KEY', 'pk_live_published'],
      ['STRIPE_SECRET_KEY', 'sk_live_with a blank'],
      ['STRIPE_WEBHOOK_SECRET', 'mysecret'],
      ['STRIPE_CONNECT_WEBHOOK_SECRET', 'mysecret'],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_old,mysecret'],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_1,whsec_2,whsec_3'],
    ]) {
      const read = () => readSettings({ ...keys, [name!]: given })
      expect(read).toThrow(`${name} is invalid: it needs a `)
      expect(read).not.toThrow(given)
    }
  })

  it('connect accounts by a platform, which may keep a share of their payments', () => {
    const platform = { ...keys, STRIPE_CONNECT_WEBHOOK_SECRET }
    for (const [given, percent] of [
      ['2.5', 2.5],
      ['0', 0],
      ['50', 50],
      ['0.01', 0.01],
    ])
      expect(readSettings({ ...platform, STRIPE_APPLICATION_FEE_PERCENT: String(given) })).toMatchObject({
        STRIPE_APPLICATION_FEE_PERCENT: percent,
      })
    for (const given of ['50.01', '51', '-1', '2.555', '2,5', '2.5%', '1e1', '.5'])
      expect(() => readSettings({ ...platform, STRIPE_APPLICATION_FEE_PERCENT: given })).toThrow(
        'STRIPE_APPLICATION_FEE_PERCENT is invalid: it needs a number from 0 to 50 with at most two decimals, such as 2.5',
      )
    expect(() => readSettings({ STRIPE_CONNECT_WEBHOOK_SECRET })).toThrow('STRIPE_SECRET_KEY is missing')
    const alone = { ...keys, STRIPE_APPLICATION_FEE_PERCENT: '2' }
    expect(() => readSettings(alone)).toThrow('STRIPE_CONNECT_WEBHOOK_SECRET is missing')
  })

  it('never send the key to another machine than Stripe’s unless it is this one', () => {
    for (const url of ['https://stripe.example', 'http://10.0.0.1', 'ftp://127.0.0.1'])
      expect(() => readSettings({ ...keys, STRIPE_API_URL: url })).toThrow('STRIPE_API_URL is invalid')
    expect(readSettings({ ...keys, STRIPE_API_URL: 'http://127.0.0.1:4000' }).STRIPE_API_URL).toContain('4000')
  })
})

describe('The settings of x402', () => {
  const X402_RPC_URLS = 'base=https://node.example/key, base-sepolia=http://127.0.0.1:8545'
  const X402_SETTLER_KEY = `0x${'1'.repeat(64)}`

  it('are nodes by the names of chains, and one who settles', () => {
    expect(readSettings({ X402_RPC_URLS, X402_SETTLER_KEY })).toMatchObject({
      X402_RPC_URLS: { base: 'https://node.example/key', 'base-sepolia': 'http://127.0.0.1:8545' },
      X402_SETTLER_KEY,
    })
    const X402_FACILITATOR_URL = 'https://facilitator.example/'
    expect(readSettings({ X402_RPC_URLS, X402_FACILITATOR_URL }).X402_FACILITATOR_URL).toBe(
      'https://facilitator.example',
    )
    expect(() => readSettings({ X402_SETTLER_KEY })).toThrow('X402_RPC_URLS is missing: X402_SETTLER_KEY needs it')
    expect(() => readSettings({ X402_FACILITATOR_URL })).toThrow('X402_RPC_URLS is missing')
    const both = { X402_RPC_URLS, X402_SETTLER_KEY, X402_FACILITATOR_URL }
    expect(() => readSettings(both)).toThrow('X402_FACILITATOR_URL is set, and one of them settles')
  })

  it('take a key that signs a token for each request, or a token for all of them', () => {
    const X402_FACILITATOR_URL = 'https://facilitator.example'
    const place = { X402_RPC_URLS, X402_FACILITATOR_URL, X402_FACILITATOR_KEY_ID: 'organizations/1/apiKeys/2' }
    for (const { secret } of apiKeys()) {
      const settings = { ...place, X402_FACILITATOR_KEY_SECRET: secret }
      expect(readSettings(settings).X402_FACILITATOR_KEY_SECRET).toBe(secret)
      const both = { ...settings, X402_FACILITATOR_KEY: 'one for all' }
      expect(() => readSettings(both)).toThrow('X402_FACILITATOR_KEY is invalid: it needs')
      expect(() => readSettings({ ...settings, X402_FACILITATOR_KEY: 'one' })).toThrow('X402_FACILITATOR_KEY_ID is set')
      const { X402_FACILITATOR_KEY_ID: _, ...unnamed } = settings
      expect(() => readSettings(unnamed)).toThrow('X402_FACILITATOR_KEY_ID is missing')
    }
    expect(() => readSettings(place)).toThrow('X402_FACILITATOR_KEY_SECRET is missing')
  })

  it('are refused in another form, without being repeated', () => {
    for (const [name, given] of [
      ['X402_RPC_URLS', 'https://secret-node.example'],
      ['X402_RPC_URLS', 'solana=https://secret-node.example'],
      ['X402_RPC_URLS', 'base=wss://secret-node.example'],
      ['X402_SETTLER_KEY', '2'.repeat(64)],
      ['X402_SETTLER_KEY', `0x${'2'.repeat(63)}`],
      ['X402_FACILITATOR_KEY', 'secret with a blank'],
      ['X402_FACILITATOR_KEY_SECRET', Buffer.alloc(63).toString('base64')],
      ['X402_FACILITATOR_KEY_SECRET', pemOf('ec', { namedCurve: 'secp256k1' })],
      ['X402_FACILITATOR_KEY_SECRET', pemOf('rsa', { modulusLength: 2048 })],
      ['X402_FACILITATOR_KEY_SECRET', '-----BEGIN PRIVATE KEY-----\\nnone\\n-----END PRIVATE KEY-----'],
    ]) {
      const read = () => readSettings({ X402_RPC_URLS, [name!]: given })
      expect(read).toThrow(`${name} is invalid: it needs `)
      expect(read).not.toThrow(given)
    }
  })
})
