import { text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export const SearchResult = answerNoun('search_result', {
  group: 'Search',
  area: 'account',
  description: 'Something of the account that a search has found.',
  listOrder: 'exact matches first, then by kind',
  fields: {
    kind: text('Its resource', { example: 'order' }),
    id: text('Its id', { example: exampleId('ord') }),
    title: text('What people call it', { example: 'Ruby Handbook × 2' }).byStrangers(),
    detail: text('What tells it from others of its kind', { example: 'Ada Lovelace · $58.00 · succeeded' })
      .nullable('there is nothing to tell')
      .byStrangers(),
    path: text('Its page in the dashboard', { example: `/dashboard/adas-books/orders/${exampleId('ord')}` }),
  },
})
