import { ROLES, TOKEN_RIGHTS } from '../../../contract/declarations/caller.ts'
import { currency, flag, integer, money, oneOf, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'

const RIGHT =
  'write: everything its user can do; propose: its programs become plans that a person applies; read: read only'

const ROLE = 'Role that it is limited to, now and when its user’s role changes'

const CAP = { min: 0, max: 1_000_000_000, example: 100 }

export const ApiToken = noun('api_token', {
  prefix: 'token',
  group: 'Developers',
  area: 'self',
  description: 'A key that lets a program act for the person who created it, in this account.',
  immutable: true,
  hidden: {
    user_id: text('User it acts for'),
    right_name: oneOf(TOKEN_RIGHTS, RIGHT),
    role_name: oneOf(ROLES, ROLE).nullable(),
    token_hash: text('Hash of its value'),
    caps: text('JSON: its daily caps').nullable('none'),
    unlimited: flag('Made by a command on its own data, to which no rate limit applies').default(false),
  },
  fields: {
    name: text('Purpose of the token', { max: 100, example: 'My agent' }).required(),
    right: oneOf(TOKEN_RIGHTS, RIGHT).linked().default('write'),
    role: oneOf(ROLES, ROLE).nullable('all that its user may').linked(),
    credits_per_day: integer('Most credits that it may spend in a day of UTC', { ...CAP, unit: 'credits' })
      .nullable('no cap')
      .linked(),
    emails_per_day: integer('Most e-mails to customers that it may cause in a day of UTC', CAP)
      .nullable('no cap')
      .linked(),
    refunds_per_day: money('Most that it may refund in a day of UTC, in refunds_currency', { example: 10_000 })
      .nullable('no cap')
      .linked(),
    refunds_currency: currency('Currency of its refunds: the default currency of the account when it was created')
      .nullable('no cap on refunds')
      .derived(),
    credits_today: integer('Credits spent today, counted for tokens with caps', { ...CAP, example: 0 }).derived(),
    emails_today: integer('E-mails caused today, likewise', { ...CAP, example: 0 }).derived(),
    refunds_today: money('Amount refunded today, likewise', { example: 0 }).derived(),
    value: text('The token itself', { example: null }).nullable('shown only on creation').derived(),
    last_four: text('Its last four characters', { example: 'x7Qa' }).readOnly(),
    user_name: text('Name of the person it acts for', { example: 'Ada Lovelace' }).derived(),
    user_email: text('E-mail address of the person it acts for', { example: 'ada@example.com' }).derived(),
    last_used_at: timestamp('When it was last used, to the minute').nullable('never').readOnly(),
  },
})

export type ApiTokenRow = Row<typeof ApiToken>
