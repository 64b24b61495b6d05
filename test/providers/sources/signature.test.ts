import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signatureProblem } from '../../../src/providers/sources/webhook/webhook.ts'

const BODY = '{"order":1}'
const NOW = Date.parse('2026-11-21T12:00:00Z')
const STANDARD = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const PLAIN = 'a secret of our own'

const problemOf = (headers: Record<string, string>, secret: string, { body = BODY, receivedMs = NOW } = {}) => {
  const header = (name: string) => headers[name] ?? null
  return signatureProblem({ body: Buffer.from(body), json: null, header, receivedMs }, secret)
}
const standard = (secret = STANDARD, at = NOW) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at), BODY),
})
const hub = (body = BODY) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', PLAIN).update(body).digest('hex')}`,
})

describe('A signature', () => {
  it('of Standard Webhooks is taken, also as one of several', () => {
    expect(problemOf(standard(), STANDARD)).toBeNull()
    const several = { ...standard(), 'webhook-signature': `v1,AAAA ${standard()['webhook-signature']}` }
    expect(problemOf(several, STANDARD)).toBeNull()
  })

  it('of Standard Webhooks is refused when anything of it differs', () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect(problemOf(standard(other), STANDARD)).toMatch(/wrong/)
    expect(problemOf(standard(), STANDARD, { body: `${BODY} ` })).toMatch(/wrong/)
    expect(problemOf({ ...standard(), 'webhook-id': 'msg_2' }, STANDARD)).toMatch(/wrong/)
    expect(problemOf({ ...standard(), 'webhook-signature': '' }, STANDARD)).toMatch(/wrong/)
    expect(problemOf({ ...standard(), 'webhook-id': '' }, STANDARD)).toMatch(/needs webhook-id/)
    expect(problemOf({ ...standard(), 'webhook-timestamp': 'soon' }, STANDARD)).toMatch(/needs webhook-id/)
  })

  it('of Standard Webhooks is taken within five minutes', () => {
    expect(problemOf(standard(), STANDARD, { receivedMs: NOW + 300_000 })).toBeNull()
    expect(problemOf(standard(), STANDARD, { receivedMs: NOW + 301_000 })).toMatch(/5 minutes/)
    expect(problemOf(standard(), STANDARD, { receivedMs: NOW - 301_000 })).toMatch(/5 minutes/)
  })

  it('over the body alone is taken, and refused when it is another', () => {
    expect(problemOf(hub(), PLAIN)).toBeNull()
    expect(problemOf(hub('{"order":2}'), PLAIN)).toMatch(/wrong/)
    expect(problemOf(hub(), `${PLAIN}!`)).toMatch(/wrong/)
    expect(problemOf({ 'x-hub-signature-256': 'sha256=' }, PLAIN)).toMatch(/wrong/)
    expect(problemOf({}, PLAIN)).toMatch(/not signed/)
  })
})
