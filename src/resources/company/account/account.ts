import { currency, email, integer, longText, text, timeZone } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** What a new account has to spend (contract 5.6). */
export const FIRST_CREDITS = 1000

export const Account = noun('account', {
  prefix: 'acct',
  group: 'Account',
  description: 'The shop that the API token belongs to.',
  events: ['updated'],
  fields: {
    name: text('The name of the shop', { max: 100, example: 'Ada’s Books' }).required(),
    subdomain: text('Where the shop lives under this service; unique over all accounts', {
      min: 3,
      max: 63,
      pattern: /^[a-z0-9](-?[a-z0-9])*$/,
      says: 'must be lower-case letters and digits, with single hyphens between them',
      example: 'adas-books',
    }).required(),
    support_email: email('Where buyers reach the shop', 'help@example.com').nullable(),
    default_currency: currency('The currency of prices that name none').default('usd'),
    timezone: timeZone('IANA name of the time zone of reports').default('UTC'),
    description: longText('A few words about the shop', 500).nullable(),
    credit_balance: integer('Credits left to spend', { min: 0, example: FIRST_CREDITS }).readOnly(),
  },
})
