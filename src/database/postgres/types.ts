import { types } from 'pg'

/** The ids of built-in types in PostgreSQL's catalog pg_type. */
const INT8 = 20
const NUMERIC = 1700

/** Returns parsers that convert count(*) and sum() to numbers, as in SQLite; those of `pg` return text. */
export const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8) return toInteger
  if (oid === NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}

function toInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a number.`)
  return value
}
