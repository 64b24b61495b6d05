import { describe, expect, it } from 'vitest'
import { RequestTokens } from '../../../src/providers/payments/x402/settler.ts'
import { apiKeys, TokenCheck } from '../../support/facilitator-tokens.ts'

const ADDRESS = 'https://api.example:8443/platform/v2/x402/settle'
const REQUEST = { method: 'POST', url: '/platform/v2/x402/settle', host: 'api.example:8443' }

describe.each(apiKeys())('A token for one request, signed by a key for $algorithm', (key) => {
  const tokens = new RequestTokens(key)
  const asked = (token: string, change: Partial<typeof REQUEST> = {}, check = new TokenCheck(key)) => {
    const { method, url, host } = { ...REQUEST, ...change }
    return check.refusal({ method, url, headers: { host, authorization: `Bearer ${token}` } })
  }

  it('is taken with that request, once', () => {
    const check = new TokenCheck(key)
    const [one, two] = [tokens.tokenFor('POST', ADDRESS), tokens.tokenFor('POST', ADDRESS)]
    expect([one, one, two].map((token) => asked(token, {}, check))).toEqual([null, 'used before', null])
  })

  it('is refused with another one, too late, and from another key', () => {
    const token = tokens.tokenFor('POST', ADDRESS)
    const others = [{ method: 'GET' }, { url: '/platform/v2/x402/verify' }, { host: 'other.example' }]
    for (const other of others) expect(asked(token, other)).toBe('for another request')
    expect(asked(tokens.tokenFor('POST', ADDRESS, Date.now() - 121_000))).toBe('expired')
    const [changed] = apiKeys().filter(({ algorithm }) => algorithm === key.algorithm)
    expect(asked(new RequestTokens({ ...changed!, id: key.id }).tokenFor('POST', ADDRESS))).toBe('bad signature')
    expect(asked(new RequestTokens({ ...key, id: 'another' }).tokenFor('POST', ADDRESS))).toBe('bad header')
  })
})
