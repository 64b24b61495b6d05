import { headerValue } from '../../../contract/header-value.ts'
import { currency, email, flag, integer, longText, text, timeZone } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

/** Credits of a new account. */
export const FIRST_CREDITS = 1000

export const Account = noun('account', {
  prefix: 'acct',
  group: 'Account',
  description: 'The shop that the API token belongs to.',
  events: ['updated'],
  hidden: { credits_month: text('Month of its last monthly credits').nullable() },
  fields: {
    /** E-mails are sent under this name. */
    name: headerValue(text('Name of the shop', { max: 100, example: 'Ada’s Books' })).required(),
    subdomain: text('Name of the shop in addresses; unique over all accounts', {
      min: 3,
      max: 63,
      pattern: /^[a-z0-9](-?[a-z0-9])*$/,
      says: 'must be lower-case letters and digits, with single hyphens between them',
      example: 'adas-books',
    }).required(),
    support_email: email('Address at which buyers reach the shop', 'help@example.com').nullable('none'),
    default_currency: currency(
      'Currency of new prices that name none, and of total_spend; existing prices keep theirs',
    ).default('usd'),
    timezone: timeZone('IANA name of the time zone whose days and months reports use').default('UTC'),
    description: longText('A few words about the shop', 500).nullable('none'),
    test: flag(
      'A test account: it has a clock of its own that can be moved forward, and its payments are never real',
      false,
    ).readOnly(),
    credit_balance: integer('Left to spend on operations that cost credits', {
      min: 0,
      unit: 'credits',
      example: FIRST_CREDITS,
    }).readOnly(),
  },
})
