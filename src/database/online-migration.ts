/** A statement of an online migration, which runs in its own transaction. */
export interface OnlineStatement {
  sql: string
  /** Whether it changes a bounded number of rows at a time and runs until it changes none. */
  repeat: boolean
}

const ONLINE = /^-- online\b/
const REPEAT = /^-- repeat\b/m
const COMMENT = /^\s*--.*$/gm
/** A statement ends with a semicolon at the end of a line. */
const END = /;[ \t]*$/m
const CREATED_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i

/**
 * Returns the statements of a migration whose first line is `-- online`, which run while other processes serve requests; null for any
 * other. A process may stop between them, so it must be safe to run all of them again: `create index concurrently if not exists`, and
 * updates that select the rows still to change. A statement after `-- repeat` runs until it changes nothing.
 */
export function onlineStatements(sql: string): OnlineStatement[] | null {
  if (!ONLINE.test(sql)) return null
  return sql
    .split(END)
    .map((part) => ({ sql: part.replace(COMMENT, '').trim(), repeat: REPEAT.test(part) }))
    .filter((statement) => statement.sql !== '')
}

/** Returns the name of the index that a statement builds concurrently, or null. */
export function indexOf(sql: string): string | null {
  return CREATED_INDEX.exec(sql)?.[1] ?? null
}
