import { longText } from '../../../contract/declarations/kinds.ts'
import { outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { ask } from './ask.ts'
import { Question } from './question.ts'

const MAX_QUESTION = 4_000

export const questions = resource(Question, {
  dashboard: [
    outside({
      id: 'ask_question',
      right: 'account.spend',
      method: 'POST',
      path: '/ask',
      summary: 'Ask about the shop, or plan a change',
      rate: 'slow',
      spendsCredits: true,
      callers: ['session'],
      answers: Question,
      body: {
        question: longText('What to find out or to change', MAX_QUESTION, 'What did I earn in October?').required(),
      },
      rule: ask,
    }),
  ],
})
