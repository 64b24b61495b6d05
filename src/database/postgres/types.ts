import { types } from 'pg'

/** Object identifiers of PostgreSQL's built-in types, from its catalog pg_type. */
const INT8 = 20
const NUMERIC = 1700

/** Parses count(*) and sum() as numbers, as SQLite returns them; `pg` would return text. */
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
