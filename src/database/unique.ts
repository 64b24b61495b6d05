const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const POSTGRES_UNIQUE_VIOLATION = '23505'

/** True when a statement failed because a row with the same key is there already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return (
    code === POSTGRES_UNIQUE_VIOLATION ||
    errcode === SQLITE_CONSTRAINT_UNIQUE ||
    errcode === SQLITE_CONSTRAINT_PRIMARYKEY
  )
}

/**
 * The columns of the key that was taken already, in the key's order; empty when the error is of another kind or the key is
 * made of expressions.
 */
export function uniqueColumns(error: unknown): string[] {
  if (!isUniqueViolation(error)) return []
  const { message, detail } = error as Error & { detail?: string }
  if (detail) return /^Key \(([\w, ]+)\)=/.exec(detail)?.[1]?.split(', ') ?? []
  const columns = /^UNIQUE constraint failed: (\w+\.\w+(?:, \w+\.\w+)*)$/.exec(message)?.[1]
  return columns?.split(', ').map((column) => column.slice(column.indexOf('.') + 1)) ?? []
}
