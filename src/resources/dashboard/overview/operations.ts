import { oneOf } from '../../../contract/declarations/kinds.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { Overview, RANGES } from './overview.ts'
import { type AttentionQuery, overviewOf } from './show.ts'

/** Returns the resource for the overview, which also counts the rows of features that need attention. */
export function overviews(attention: readonly AttentionQuery[]) {
  return resource(Overview, {
    dashboard: [
      custom({
        id: 'retrieve_overview',
        method: 'GET',
        path: '/overview',
        summary: 'Show how the shop is doing',
        answers: Overview,
        query: { range: oneOf(RANGES, 'The last 7 or 30 days, or 12 months').default('30d') },
        rule: (context, { query }) => overviewOf(context, query.range, attention),
      }),
    ],
  })
}
