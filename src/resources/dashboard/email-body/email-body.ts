import { flag, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const MAX = { max: 200_000 }

export const EmailBody = answerNoun('email_body', {
  group: 'Emails',
  area: 'customers',
  description: 'The content of an e-mail, without the secrets of its links.',
  fields: {
    kept: flag('Whether it is kept: for 30 days, unless it was too long or held a secret', true),
    text: text('Its part in plain text', { ...MAX, example: 'See you at 10.' }).nullable('none, or not kept'),
    html: text('Its part in HTML', { ...MAX, example: '<p>See you at 10.</p>' }).nullable('none, or not kept'),
  },
})
