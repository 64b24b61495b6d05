/** A statement of an online migration, in a transaction of its own. */
export interface OnlineStatement {
  sql: string
  /** It changes a bounded number of rows, and is run until none is left to change. */
  repeat: boolean
}

const ONLINE = /^-- online\b/
const REPEAT = /^-- repeat\b/m
const COMMENT = /^\s*--.*$/gm
/** A statement ends with a semicolon at the end of a line. */
const END = /;[ \t]*$/m
const CREATED_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i

/**
 * The statements of a migration whose first line is `-- online`, which run while other processes serve; null for any other. They
 * must be fit to be run again from the first, since a process can be stopped between them: `create index concurrently if not
 * exists`, and changes of rows that find what is left to change. `-- repeat` before a statement has it run until it changes nothing.
 */
export function onlineStatements(sql: string): OnlineStatement[] | null {
  if (!ONLINE.test(sql)) return null
  return sql
    .split(END)
    .map((part) => ({ sql: part.replace(COMMENT, '').trim(), repeat: REPEAT.test(part) }))
    .filter((statement) => statement.sql !== '')
}

/** The name of the index that a statement builds while others write; null where it builds none. */
export function indexOf(sql: string): string | null {
  return CREATED_INDEX.exec(sql)?.[1] ?? null
}
