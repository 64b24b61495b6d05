import { flag, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const AccountDeletion = answerNoun('account_deletion', {
  group: 'Account',
  area: 'ownership',
  description: 'The deletion of an account: nobody can use it any more.',
  fields: {
    id: text('Id of the account', { example: 'acct_…' }),
    subdomain: text('Name of the shop in addresses', { max: 63, example: 'adas-books' }),
    deleted: flag('Always true', true),
    finished: flag('Whether everything is deleted; otherwise the rest is deleted within the hour', true),
  },
})
