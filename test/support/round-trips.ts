import pg from 'pg'

type Query = (this: pg.Client, ...given: unknown[]) => Promise<unknown> | undefined

/**
 * The round trips to PostgreSQL of the transactions that `work` runs, by the text of each one's first statement after BEGIN. Statements that are
 * sent while another of their connection is unanswered travel with it.
 */
export async function roundTrips(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const unanswered = new WeakMap<pg.Client, number>()
  const open = new WeakMap<pg.Client, { first: string; trips: number }>()
  const done = new Map<string, number>()
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  prototype.query = function (...given) {
    const text = textOf(given[0])
    const waiting = unanswered.get(this) ?? 0
    const transaction = open.get(this)
    if (text.startsWith('begin ')) open.set(this, { first: '', trips: 1 })
    else if (transaction) {
      transaction.first ||= text
      if (waiting === 0) transaction.trips++
      if (text === 'commit') {
        done.set(transaction.first, Math.max(done.get(transaction.first) ?? 0, transaction.trips))
        open.delete(this)
      }
    }
    const answer = query.apply(this, given)
    if (answer === undefined) return answer
    unanswered.set(this, waiting + 1)
    const answered = () => void unanswered.set(this, unanswered.get(this)! - 1)
    answer.then(answered, answered)
    return answer
  }
  try {
    await work()
  } finally {
    prototype.query = query
  }
  return done
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : (statement as { text: string }).text
}
