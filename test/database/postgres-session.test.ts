import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { OutcomeUnknownError } from '../../src/database/database.ts'
import { PostgresSession } from '../../src/database/postgres/session.ts'
import { type ItemTables, insertItem } from './items.ts'

/** A connection that refuses one statement, and notes what it is sent. */
function connection(refused: RegExp, message = 'out of memory') {
  const sent: string[] = []
  const client = {
    async query(query: string | { text: string }) {
      const text = typeof query === 'string' ? query : query.text
      sent.push(text)
      if (refused.test(text)) throw new Error(message)
      return { rows: [], rowCount: 0, command: 'COMMIT' }
    },
    release: () => sent.push('released'),
  } as unknown as PoolClient
  const statementOf = ({ sql }: { sql: string }) => ({ text: sql, values: [] })
  return { sent, session: new PostgresSession<ItemTables>(client, { statementOf, outcomeOf: async () => 'unknown' }) }
}

describe('A transaction on PostgreSQL', () => {
  it('that could not begin carries out nothing', async () => {
    const { sent, session } = connection(/^begin/)
    session.begin()
    await expect(session.settled()).rejects.toThrow('out of memory')
    await expect(insertItem(session.db, 'a')).rejects.toThrow('out of memory')
    await expect(session.end('commit')).rejects.toThrow('out of memory')
    expect(sent).toEqual(['begin isolation level serializable', 'rollback', 'released'])
  })

  it('that wrote leaves a record with its commit, and one that read does not', async () => {
    const [writing, reading] = [connection(/nothing/), connection(/nothing/)]
    await insertItem(writing.session.db, 'a')
    await reading.session.db.selectFrom('item').selectAll().execute()
    await writing.session.end('commit')
    await reading.session.end('commit')
    expect(writing.sent.at(-2)).toMatch(/^insert into commit_records \(id\) values \('[0-9a-z]+'\); commit$/)
    expect(reading.sent.at(-2)).toBe('commit')
  })

  it('whose commit is cut off and cannot be found out says that nobody knows', async () => {
    const { session } = connection(/commit$/, 'Connection terminated unexpectedly')
    await insertItem(session.db, 'a')
    await expect(session.end('commit')).rejects.toThrow(OutcomeUnknownError)
  })
})
