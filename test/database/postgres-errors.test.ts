import { describe, expect, it } from 'vitest'
import { StorageError } from '../../src/database/database.ts'
import { explained, explainedCommit } from '../../src/database/postgres/errors.ts'

const coded = (code: string, message = 'said the server') => Object.assign(new Error(message), { code })
const NOT_SENT = new Error('Client has encountered a connection error and is not queryable')

const CUT: [string, Error][] = [
  ['the server is starting up', coded('57P03')],
  ['the server is shutting down', coded('57P01')],
  ['the server crashed', coded('57P02')],
  ['there are too many connections', coded('53300')],
  ['a pooler cannot reach the server', coded('08P01')],
  ['the connection is reset', coded('ECONNRESET')],
  ['the connection ends', new Error('Connection terminated unexpectedly')],
  ['the connection takes too long', new Error('timeout exceeded when trying to connect')],
]

describe('An error of PostgreSQL', () => {
  it.each([...CUT, ['the connection was cut before', NOT_SENT] as const])(
    'is one of the storage when %s',
    (_, error) => {
      const found = explained(error)
      expect(found).toBeInstanceOf(StorageError)
      expect(found).toMatchObject({ problem: 'unreachable', cause: error })
    },
  )

  it.each([coded('23505'), coded('42703'), new TypeError('no such thing'), 'text'])(
    'is left as it is otherwise',
    (error) => {
      expect(explained(error)).toBe(error)
    },
  )

  it.each(CUT)('of a commit leaves open what came of it when %s', (_, error) => {
    expect(explainedCommit(error)).not.toBeInstanceOf(StorageError)
  })

  it('of a commit that was never sent is one of the storage', () => {
    expect(explainedCommit(NOT_SENT)).toBeInstanceOf(StorageError)
  })

  it('of a commit on a full disk is one of the storage', () => {
    expect(explainedCommit(coded('53100'))).toMatchObject({ problem: 'full' })
  })
})
