import { type RawBuilder, sql } from 'kysely'
import { formatNumber } from '../format/numbers.ts'
import type { Db } from '../resources/tables.ts'

export interface Finding {
  area: 'database' | 'references' | 'money' | 'credits' | 'counters' | 'files' | 'jobs'
  /** `note` means that nothing is lost or wrong, but that the operator may want to know. */
  severity: 'wrong' | 'note'
  problem: string
  /** The number of rows or files as text: `3`, or `more than 1,000`. */
  count: string
  /** The first rows or files, one per entry, with the number of occurrences if there is more than one. */
  places: string[]
  advice: string
}

export const KEEP_FIRST = 'First back up the data as it is (npm run backup).'
export const LAST_RESORT = 'Restore an earlier backup only as the last resort: it lacks everything since.'

/** A rule that data has to follow, with a query that finds the rows that violate it. */
export interface Rule extends Pick<Finding, 'area' | 'problem' | 'advice'> {
  severity?: Finding['severity']
  /** A query that returns `account_id`, `id` and, if there is more information, `detail`. */
  query: RawBuilder<{ account_id: string; id: string; detail?: string | number | null }>
}

const MOST_NAMED = 5
const MOST_COUNTED = 1_000

/** Returns the rows that violate the rule as a finding; null if there are none. */
export async function findingOf(db: Db, { query, severity = 'wrong', ...rule }: Rule): Promise<Finding | null> {
  const { rows } = await sql<{ account_id: string; id: string; detail?: string | number | null }>`
    select * from (${query}) as broken limit ${sql.lit(MOST_COUNTED + 1)}`.execute(db)
  const places = rows.map(({ account_id, id, detail }) =>
    [account_id, id, detail].filter((part) => part != null).join(' '),
  )
  return foundAt(places, { ...rule, severity })
}

export function foundAt(places: readonly string[], rule: Omit<Finding, 'count' | 'places'>): Finding | null {
  if (places.length === 0) return null
  const count = places.length > MOST_COUNTED ? `more than ${formatNumber(MOST_COUNTED)}` : formatNumber(places.length)
  const times = Map.groupBy(places, (place) => place)
  const named = [...times].slice(0, MOST_NAMED)
  return {
    ...rule,
    count,
    places: named.map(([place, { length }]) => (length > 1 ? `${place} (${length} times)` : place)),
  }
}
