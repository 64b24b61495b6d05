import { integer, oneOf, text } from '../../../contract/declarations/kinds.ts'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { findAnything } from './find.ts'
import { kindsOf } from './kinds.ts'
import { SearchResult } from './search.ts'

const MAX_RESULTS = 100
/** Only the first 200 characters are used. The limit is higher because a long pasted text should not cause an error. */
const MAX_QUERY = 12_000

/** Returns the resource for searching the rows of the given nouns. */
export function search(nouns: readonly Noun[]) {
  const kinds = kindsOf(nouns)
  const [first, ...others] = kinds
  return resource(SearchResult, {
    dashboard: [
      customList({
        id: 'search',
        method: 'GET',
        path: '/search',
        rubyHelper: 'find_anything',
        summary: 'Find anything of the account',
        description:
          'Finds orders, customers, products and more by the words they begin with: names, e-mail addresses, numbers, codes and ids. Accents and case do not count. Orders, subscriptions and invoices are found by their customer, orders by their products as well. Shows a few of each kind, or up to `limit` of the one that is asked for.',
        answers: SearchResult,
        query: {
          query: text('Words, an e-mail address, a number or an id', {
            max: MAX_QUERY,
            example: 'ada@example.com',
          }).required(),
          kind: oneOf([first.name, ...others.map(({ name }) => name)], 'Only of this resource'),
          limit: integer('Results at most', { min: 1, max: MAX_RESULTS, example: 20 }).nullable().default(20),
        },
        rule: (context, { query }) => findAnything(context, query, kinds),
      }),
    ],
  })
}
