import type { PaymentOutcome, PaymentProvider, RefundOutcome } from './provider.ts'

/** Stripe's test card numbers and what they do. */
const DECLINED = '4000000000000002'
const SECOND_STEP = '4000002500003155'
const FAILS_LATER = '4000000000000341'
const FAILS_AT_REFUND = '4000000000005126'

/** Takes no money: the number of the test card decides what happens. */
export const testProvider: PaymentProvider = {
  name: 'test',
  processor: 'test',
  immediate: true,
  collect: async ({ key, card = '4242424242424242', returnUrl }): Promise<PaymentOutcome> => {
    const reference = card === FAILS_AT_REFUND ? `test_${key}_no_refund` : `test_${key}`
    if (card === DECLINED) return { state: 'failed', reference, message: 'The card was declined.' }
    if (card === SECOND_STEP) return { state: 'needs_buyer', reference, url: returnUrl }
    return { state: 'succeeded', reference, method: { token: card === FAILS_LATER ? 'fails_later' : 'succeeds' } }
  },
  charge: async ({ key, method }): Promise<PaymentOutcome> => {
    const reference = `test_${key}`
    if (method.token === 'fails_later') return { state: 'failed', reference, message: 'The card was declined.' }
    return { state: 'succeeded', reference, method }
  },
  refund: async ({ key, reference }): Promise<RefundOutcome> => {
    if (reference.endsWith('_no_refund'))
      return { state: 'failed', reference: `test_${key}`, message: 'The bank refused the refund.' }
    return { state: 'succeeded', reference: `test_${key}` }
  },
  lookUp: async ({ reference }) => ({ state: 'pending', reference }),
  abandon: async () => {},
  readNotice: async () => null,
}
