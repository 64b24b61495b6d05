import type { CompiledQuery } from 'kysely'
import { PostgresTransaction } from '../../src/database/postgres/transaction.ts'

interface Counted {
  first: string
  trips: number
  unanswered: number
}

/**
 * The most round trips to PostgreSQL of the transactions that `work` commits, by the text of each one's first query. A trip begins with a
 * query whose answer is waited for while no other's is; what needs no answer travels with the next. COMMIT is one more.
 */
export async function roundTrips(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const counted = new WeakMap<object, Counted>()
  const most = new Map<string, number>()
  const { execute, end } = PostgresTransaction.prototype
  PostgresTransaction.prototype.execute = function <Row>(query: CompiledQuery) {
    const count = counted.get(this) ?? { first: query.sql, trips: 0, unanswered: 0 }
    counted.set(this, count)
    if (count.unanswered === 0) count.trips++
    count.unanswered++
    return execute.call<typeof this, [CompiledQuery], ReturnType<typeof execute<Row>>>(this, query).finally(() => {
      count.unanswered--
    })
  }
  PostgresTransaction.prototype.end = async function (how, options) {
    await end.call(this, how, options)
    const { first, trips } = counted.get(this) ?? { first: 'nothing', trips: 0 }
    if (how === 'commit') most.set(first, Math.max(most.get(first) ?? 0, trips + 1))
  }
  try {
    await work()
  } finally {
    Object.assign(PostgresTransaction.prototype, { execute, end })
  }
  return most
}
