import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DisputeDesk } from '../../../src/providers/payments/disputes.ts'
import { STRIPE_KEY } from '../../support/stripe-server.ts'
import { newKey, openStripeTill, paid, type StripeTill, tills } from './till.ts'

const EVIDENCE = {
  ...{ answer: 'It was delivered.', customerName: 'Ada Lovelace', customerEmail: 'ada@example.com' },
  ...{ product: '1 × Ruby Handbook', access: null, refundPolicy: null },
}
const DAY_S = 24 * 60 * 60

describe('Disputes', () => {
  let till: StripeTill
  let desk: DisputeDesk
  beforeAll(async () => {
    till = await openStripeTill()
    desk = till.provider.disputes!
  })
  afterAll(() => till.close())

  const disputed = async () => {
    const { reference } = paid(await till.pay('pays'))
    return till.server.bank.dispute(reference, 'needs_response', 900)
  }

  it.each(['test', 'stripe'])('are decided by two words of an answer: %s', async (name) => {
    const provider = name === 'stripe' ? till.provider : (await tills[0]!.open()).provider
    for (const [word, decided] of [
      ['winning_evidence', 'won'],
      ['losing_evidence', 'lost'],
      ['It was delivered.', 'under_review'],
    ] as const) {
      const dispute = await disputed()
      const asked = { key: newKey(), reference: dispute.id, attempt: 1, evidence: { ...EVIDENCE, answer: word } }
      const outcome = await provider.disputes!.answer(asked)
      const became = name === 'stripe' ? dispute.status : outcome.state === 'taken' && outcome.became
      expect([outcome.state, became]).toEqual(['taken', decided])
    }
    const { id: reference } = await disputed()
    expect(await provider.disputes!.accept({ key: newKey(), reference })).toEqual({ state: 'taken', became: 'lost' })
  })

  it('are answered with texts that Stripe takes, and without those that are not known', async () => {
    const { id: reference, evidence } = await disputed()
    const long = {
      ...EVIDENCE,
      refundPolicy: `😀${'Within 14 days. '.repeat(2000)}`,
      access: `.${'😀'.repeat(10_000)}`,
    }
    expect(await desk.answer({ key: newKey(), reference, evidence: long })).toMatchObject({ state: 'taken' })
    expect(Object.keys(evidence).toSorted()).toEqual([
      ...['access_activity_log', 'customer_email_address', 'customer_name', 'product_description'],
      ...['refund_policy_disclosure', 'uncategorized_text'],
    ])
    expect(evidence.refund_policy_disclosure).toHaveLength(20_000)
    expect(evidence.access_activity_log).toHaveLength(19_999)
  })

  it('are refused as Stripe refuses them: late, twice, and with fields that it does not have', async () => {
    const late = await disputed()
    late.evidence_details.due_by -= 8 * DAY_S
    const asked = { key: newKey(), reference: late.id, evidence: EVIDENCE }
    expect(await desk.answer(asked)).toEqual({ state: 'refused', message: expect.stringContaining('deadline') })
    const { id: reference } = await disputed()
    await desk.answer({ key: newKey(), reference, evidence: EVIDENCE })
    const again = await desk.answer({ key: newKey(), reference, evidence: EVIDENCE })
    expect(again).toEqual({ state: 'refused', message: expect.stringContaining('under_review') })
    const { hostname: host, port } = new URL(till.server.url)
    const library = new Stripe(STRIPE_KEY, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
    const unknown = { evidence: { delivery_note: 'x' } } as object
    await expect(library.disputes.update((await disputed()).id, unknown)).rejects.toThrow('delivery_note')
  })

  it('are answered once, when the confirmation was lost and Stripe has forgotten the key', async () => {
    const dispute = await disputed()
    const asked = { key: newKey(), reference: dispute.id, evidence: EVIDENCE }
    till.server.breaks('failed_after')
    await expect(desk.answer({ ...asked, attempt: 1 })).rejects.toThrow('did not report the result')
    till.server.forgetKeys()
    expect(await desk.answer({ ...asked, attempt: 2 })).toEqual({ state: 'taken', became: 'under_review' })
    expect(dispute.evidence_details.submission_count).toBe(1)
  })
})
