export interface OnlineStatement {
  sql: string
  /** Whether the statement changes a limited number of rows and is repeated until it changes none. */
  repeat: boolean
}

const ONLINE = /^-- online\b/
const REPEAT = /^-- repeat\b/m
const COMMENT = /^\s*--.*$/gm
const END = /;[ \t]*$/m
const CREATED_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i

/**
 * Returns the statements of an online migration, whose first line is `-- online`; null for any other migration. They run while other
 * processes serve requests. A process may stop between them, so it must be safe to run all of them again: for example, use `create index
 * concurrently if not exists`. A statement after `-- repeat` is repeated until it changes nothing.
 */
export function onlineStatements(sql: string): OnlineStatement[] | null {
  if (!ONLINE.test(sql)) return null
  return sql
    .split(END)
    .map((part) => ({ sql: part.replace(COMMENT, '').trim(), repeat: REPEAT.test(part) }))
    .filter((statement) => statement.sql !== '')
}

export function indexOf(sql: string): string | null {
  return CREATED_INDEX.exec(sql)?.[1] ?? null
}
