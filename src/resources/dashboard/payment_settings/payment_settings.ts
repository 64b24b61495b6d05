import { flag, oneOf, text, texts } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const PaymentSettings = answerNoun('payment_settings', {
  group: 'Account',
  description: 'How the account takes payments; the provider is a setting of the service.',
  fields: {
    provider: oneOf(['test', 'stripe'], 'test: test cards, no real money; stripe: Stripe'),
    takes_real_money: flag('Whether buyers pay with real money', false),
    reason: text('Explanation in one sentence', { example: 'This is a test account, so its payments are never real.' }),
    missing: texts('Steps to do before real payments can be taken', { example: [] }),
    notices_url: text('URL that Stripe posts to', { example: null }).nullable('a test account'),
  },
})
