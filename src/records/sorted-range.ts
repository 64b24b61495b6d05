import { sql } from 'kysely'
import type { Noun } from '../contract/declarations/noun.ts'
import type { FilterOf } from './filters.ts'
import { OF_SORTS } from './page.ts'
import { anyTable } from './records.ts'

/** Rows that are read from the index of a range. Where there are more, a list meets the first of them soon in its own order. */
const FEW = 500

/** A range of a number by which the list can be sorted: `indexed` is the same range as the index of that order has it. */
export function fewByIndex(noun: Noun, plain: FilterOf, indexed: FilterOf): FilterOf {
  return {
    parameter: plain.parameter,
    apply: async (query, given, context) => {
      const rows = anyTable(context).selectFrom(noun.plural).select('id').where('account_id', '=', context.accountId)
      const inRange = await indexed.apply(rows.where(OF_SORTS), given, context)
      const found = await inRange.limit(sql.lit(FEW + 1)).execute()
      const narrowed = await plain.apply(query, given, context)
      if (found.length > FEW) return narrowed
      return narrowed.where('id', 'in', found.length > 0 ? found.map(({ id }) => id) : [''])
    },
  }
}
