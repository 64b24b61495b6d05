import { indexOf, onlineStatements } from '../../src/database/online-migration.ts'

/** Statements that would block other processes, or break those of the previous version, on a table with rows. */
const FORBIDDEN: [pattern: RegExp, instead: string][] = [
  [
    /^create\s+(?:unique\s+)?index(?!\s+concurrently\s+if\s+not\s+exists)/,
    'an index of a table with rows is built in an online migration: create index concurrently if not exists',
  ],
  [/^drop\s+index(?!\s+concurrently)/, 'an index is dropped in an online migration: drop index concurrently if exists'],
  [
    /\badd\s+(?:column\s+)?(?!constraint\b)\w+[^,]*\bnot\s+null\b(?![^,]*\bdefault\b)/,
    'a new column that is not null needs a default',
  ],
  [/\bdefault\s+(?!'|-?\d|null\b|true\b|false\b)\S/, 'a default is a constant, or each row is written anew'],
  [
    /\badd\s+(?:column\s+)?(?!constraint\b)\w+[^,]*\b(?:unique|primary\s+key|references|check|generated)\b/,
    'a new column has no constraint; add it as not valid, and validate it online',
  ],
  [/\badd\s+constraint\b(?![\s\S]*\bnot\s+valid\b)/, 'a constraint is added as not valid, and validated online'],
  [
    /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/,
    'a type does not change: add a column, fill it online, and drop the old one a version later',
  ],
  [
    /\balter\s+(?:column\s+)?\w+\s+set\s+not\s+null\b/,
    'not null is a check that is added as not valid, and validated online',
  ],
  [/\brename\b/, 'names do not change while the version before uses them: add, fill online, drop a version later'],
  [
    /^alter\s+table\s+\w+\s+drop\b/,
    'what the version before uses is dropped a version later, in a migration with -- contract',
  ],
  [/^drop\s+table\b/, 'what the version before uses is dropped a version later, in a migration with -- contract'],
  [/^(?:cluster|vacuum|lock|reindex(?!\s+(?:table|index)\s+concurrently))\b/, 'this locks the whole table'],
  [/^(?:update|delete)\b/, 'rows are changed in an online migration, by a statement with -- repeat and a limit'],
  [/^insert\b[\s\S]*\bselect\b/, 'rows are copied in an online migration, by a statement with -- repeat and a limit'],
]

const CREATED = /\bcreate\s+(?:virtual\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/g
const TABLE =
  /^(?:alter\s+table\s+(?:only\s+)?|update\s+|delete\s+from\s+|insert\s+into\s+|drop\s+table\s+(?:if\s+exists\s+)?)(\w+)|\bon\s+(\w+)\s*(?:using\s+\w+\s*)?\(/
const DROPS = /^(?:alter\s+table\s+\w+\s+drop\b|drop\s+table\b)/

/** Returns the reasons why a migration on PostgreSQL would block or break processes that serve requests meanwhile. */
export function migrationFaults(sql: string): string[] {
  const online = onlineStatements(sql)
  const isContract = /^-- contract: since \d+\.\d+\.\d+\b/m.test(sql)
  const text = sql.replaceAll(/--.*$/gm, '').toLowerCase()
  const created = new Set([...text.matchAll(CREATED)].map(([, name]) => name!))
  const statements = online ?? text.split(/;[ \t]*$/m).map((part) => ({ sql: part.trim(), repeat: false }))
  return statements.flatMap(({ sql: written, repeat }) => {
    const statement = written.toLowerCase()
    if (statement === '') return []
    const [, changed, indexed] = TABLE.exec(statement) ?? []
    if (created.has(changed ?? indexed ?? '')) return []
    if (!online && indexOf(statement) !== null) return ['concurrently needs a migration that begins with -- online']
    if (repeat) return /\blimit\s+\d+/.test(statement) ? [] : ['a statement that is repeated has a limit']
    const faults = FORBIDDEN.filter(([pattern]) => pattern.test(statement) && !(isContract && DROPS.test(statement)))
    return faults.map(([, instead]) => instead)
  })
}
