import type { Terminal } from './terminal.ts'

/** The answer of a tool, as an MCP client receives it. */
export interface Answer {
  result?: unknown
  output?: string
  warnings?: string[]
  error?: Failure
  committed?: string
  replayed?: boolean
  /** How many resources of each kind changed. */
  changed?: Record<string, number>
  dry_run?: boolean
  plan?: string
  /** In a dry run, what would have changed. */
  changes?: Changes
  /** Where a plan's run would do otherwise than planned. */
  differences?: unknown[]
}

/** By event type: how many, and a few of them. */
export type Changes = Record<string, { count: number; samples: Record<string, unknown>[] }>

interface Failure {
  type: string
  message: string
  line: number | null
  source: string | null
  hint: string | null
}

/** Prints what the program printed, then its value; everything else goes to standard error. Returns the exit code. */
export function showAnswer(terminal: Terminal, answer: Answer): number {
  if (answer.output) terminal.print(answer.output.replace(/\n$/, ''))
  for (const warning of answer.warnings ?? []) terminal.complain(`Warning: ${warning}`)
  if (answer.error) return showFailure(terminal, answer, answer.error)
  for (const line of effectLines(answer)) terminal.complain(line)
  terminal.print(JSON.stringify(answer.result, null, 2))
  return 0
}

function effectLines({ dry_run, changes = {}, plan, committed, changed = {}, replayed }: Answer): string[] {
  if (dry_run) {
    const apply = plan ? ['', `To do exactly this: npm run plans -- apply ${plan}`] : []
    return ['Dry run: nothing was kept. It would have changed:', ...changeLines(changes), ...apply]
  }
  const counts = Object.entries(changed).map(([type, count]) => `${count} ${type}`)
  const kept = committed === 'all' ? [`Kept: ${counts.join(', ') || 'nothing changed'}`] : []
  return replayed ? ['Not run again: this is the stored answer of the first run.', ...kept] : kept
}

/** What changes, a line for each kind and each sample. */
function changeLines(changes: Changes): string[] {
  const lines = Object.entries(changes).flatMap(([type, { count, samples }]) => [
    `  ${count} ${type}`,
    ...samples.map((sample) => `    ${JSON.stringify(sample)}`),
    ...(count > samples.length ? [`    … and ${count - samples.length} more`] : []),
  ])
  return lines.length > 0 ? lines : ['  nothing']
}

function showFailure(terminal: Terminal, answer: Answer, { type, message, line, source, hint }: Failure): number {
  terminal.complain(`${type}: ${message}`)
  if (line !== null) terminal.complain(`  line ${line}: ${source?.trim() ?? ''}`)
  if (hint !== null) terminal.complain(`  hint: ${hint}`)
  for (const difference of answer.differences ?? []) terminal.complain(`  ${JSON.stringify(difference)}`)
  if (answer.committed) terminal.complain(`  committed: ${answer.committed}`)
  return 1
}
