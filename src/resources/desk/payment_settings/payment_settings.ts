import { flag, oneOf, text, texts } from '../../../contract/kinds.ts'
import { answerNoun } from '../../../contract/noun.ts'

export const PaymentSettings = answerNoun('payment_settings', {
  group: 'Account',
  description: 'How the account takes payments; which provider does is a setting of the service.',
  fields: {
    provider: oneOf(['test', 'stripe'], 'test: cards for trying out, which take no money; stripe: Stripe'),
    takes_real_money: flag('Whether buyers pay with real money', false),
    reason: text('Why it is so, in a sentence', { example: 'This is a test account, so its payments are never real.' }),
    missing: texts('What is to be done before real payments can be taken', { example: [] }),
    notices_url: text('Address that Stripe posts to', { example: null }).nullable('a test account'),
  },
})
