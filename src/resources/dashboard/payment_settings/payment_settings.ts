import { flag, text, texts } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const PaymentSettings = answerNoun('payment_settings', {
  group: 'Account',
  description: 'How the account takes payments; the provider is a setting of the service.',
  fields: {
    provider: text('Name of the payment provider; test: test cards, no real money', { example: 'test' }),
    provider_title: text('What people call the provider', { example: 'Test cards' }),
    takes_real_money: flag('Whether buyers pay with real money', false),
    reason: text('Explanation in one sentence', { example: 'This is a test account, so its payments are never real.' }),
    missing: texts('Steps to do before real payments can be taken', { example: [] }),
    notices_from: text('Provider that posts to notices_url', { example: null }).nullable('none does'),
    notices_url: text('URL that the provider posts its notices to', { example: null }).nullable('none does'),
  },
})
