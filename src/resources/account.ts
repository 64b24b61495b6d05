import { invalid } from '../contract/errors.ts'
import { currency, email, integer, longText, text, timeZone } from '../contract/kinds.ts'
import { type Changes, noun, type Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { changeRow, requireRow } from '../records/records.ts'
import { resource } from '../records/resource.ts'
import type { TableOf } from '../records/tables.ts'
import { verbs } from '../records/verbs.ts'

/** What a new account has to spend (contract 5.6). */
export const FIRST_CREDITS = 1000

export const Account = noun('account', {
  prefix: 'acct',
  tag: 'Account',
  description: 'The shop that the API token belongs to.',
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

declare module '../records/tables.ts' {
  interface Tables {
    accounts: TableOf<typeof Account>
  }
}

export const currentAccount = (context: Context) => requireRow(context, Account, context.accountId)

const { retrieve, update } = verbs(Account)

export const account = resource(Account, {
  operations: [
    retrieve({ summary: 'Show the account the token belongs to', path: '/account', find: currentAccount }),
    update({
      summary: 'Change account settings',
      about: 'Needs the role owner or admin.',
      path: '/account',
      role: 'admin',
      find: currentAccount,
      run: changeAccount,
    }),
  ],
})

async function changeAccount(context: Context, current: Row<typeof Account>, changes: Changes<typeof Account>) {
  if (changes.subdomain !== undefined && (await subdomainTaken(context, changes.subdomain))) {
    throw invalid({ subdomain: ['has already been taken'] })
  }
  return changeRow(context, Account, current, changes)
}

/** The one query that looks past the account: subdomains are unique over the service. */
async function subdomainTaken(context: Context, subdomain: string): Promise<boolean> {
  const others = context.db.selectFrom('accounts').select('id').where('subdomain', '=', subdomain)
  return (await others.where('id', '!=', context.accountId).executeTakeFirst()) !== undefined
}
