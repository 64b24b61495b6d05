import type { Connection, PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { OutcomeUnknownError } from '../../src/database/database.ts'
import type { Batch } from '../../src/database/postgres/batch.ts'
import { PostgresTransaction } from '../../src/database/postgres/transaction.ts'
import { type ItemTables, insertItem } from './items.ts'

/** A fake connection that refuses one statement and records what it receives. */
function connection(refused: RegExp, message = 'out of memory') {
  const sent: string[] = []
  const carriesOut = (text: string) => {
    sent.push(text)
    return !refused.test(text)
  }
  const client = {
    async query(query: string | Batch) {
      if (typeof query !== 'string') answer(query, carriesOut, message)
      else if (!carriesOut(query)) throw new Error(message)
    },
    release: () => sent.push('released'),
  } as unknown as PoolClient
  const statementOf = ({ sql }: { sql: string }) => ({ text: sql, values: [] })
  return {
    sent,
    session: new PostgresTransaction<ItemTables>(client, { statementOf, outcomeOf: async () => 'unknown' }),
  }
}

/** Answers like PostgreSQL: after a failure, the rest of a batch is skipped. */
function answer(batch: Batch, carriesOut: (text: string) => boolean, message: string): void {
  const texts: string[] = []
  const nothing = () => {}
  const stream = { cork: nothing, uncork: nothing }
  const parse = ({ text }: { text: string }) => texts.push(text)
  const wire = { stream, parse, bind: nothing, describe: nothing, execute: nothing, sync: nothing }
  batch.submit(wire as unknown as Connection)
  if (texts.every((text) => carriesOut(text) && complete(batch, text))) batch.handleReadyForQuery()
  else batch.handleError(new Error(message))
}

function complete(batch: Batch, text: string): true {
  batch.handleCommandComplete({ text: text === 'commit' ? 'COMMIT' : 'INSERT 0 1' })
  return true
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
    expect(writing.sent.slice(1)).toEqual(['insert into commit_records (id) values ($1)', 'commit', 'released'])
    expect(reading.sent.slice(1)).toEqual(['commit', 'released'])
  })

  it('whose commit is cut off and cannot be found out says that nobody knows', async () => {
    const { session } = connection(/commit$/, 'Connection terminated unexpectedly')
    await insertItem(session.db, 'a')
    await expect(session.end('commit')).rejects.toThrow(OutcomeUnknownError)
  })
})
