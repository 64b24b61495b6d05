import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/config.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../support/stripe-server.ts'

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
      ['STRIPE_WEBHOOK_SECRET', 'whsec_old,mysecret'],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_1,whsec_2,whsec_3'],
    ]) {
      const read = () => readSettings({ ...keys, [name!]: given })
      expect(read).toThrow(`${name} is invalid: it needs a `)
      expect(read).not.toThrow(given)
    }
  })

  it('never send the key to another machine than Stripe’s unless it is this one', () => {
    for (const url of ['https://stripe.example', 'http://10.0.0.1', 'ftp://127.0.0.1'])
      expect(() => readSettings({ ...keys, STRIPE_API_URL: url })).toThrow('STRIPE_API_URL is invalid')
    expect(readSettings({ ...keys, STRIPE_API_URL: 'http://127.0.0.1:4000' }).STRIPE_API_URL).toContain('4000')
  })
})
