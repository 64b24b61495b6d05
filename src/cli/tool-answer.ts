import { showHidden } from '../format/hidden-characters.ts'
import { type End, exitCode } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

export interface ToolAnswer {
  result?: unknown
  output?: string
  output_truncated?: boolean
  truncated?: boolean
  warnings?: string[]
  error?: ProgramError
  committed?: string
  replayed?: boolean
  changed?: Record<string, number>
  dry_run?: boolean
  plan?: string
  changes?: Changes
  /** The differences that prevented the plan from being applied. */
  differences?: unknown[]
}

export type Changes = Record<string, { count: number; samples: Record<string, unknown>[] }>

interface ProgramError {
  type: string
  message: string
  line: number | null
  source: string | null
  hint: string | null
}

export interface OutputOptions {
  puts?: boolean
  /** Whether to print a string result without JSON quotes. */
  raw?: boolean
}

/** Prints the result to standard output and everything else to standard error. Returns the exit code. */
export function showAnswer(
  terminal: Terminal,
  answer: ToolAnswer,
  { puts = false, raw = false }: OutputOptions = {},
): number {
  const printed = answer.output?.replace(/\n$/, '')
  if (printed) (puts ? terminal.print : terminal.complain)(printed)
  for (const warning of answer.warnings ?? []) terminal.complain(`Warning: ${warning}`)
  if (answer.error) return showFailure(terminal, answer, answer.error)
  for (const line of effectLines(answer)) terminal.complain(line)
  if (!puts) terminal.print(valueText(answer.result, raw))
  if (isCut(answer, puts)) return exitCode('cut')
  return exitCode(isRefusal(answer.result) ? 'refused' : 'done')
}

function isRefusal(result: unknown): boolean {
  const { error } = (result ?? {}) as { error?: { type?: unknown; code?: unknown } }
  return typeof error?.type === 'string' && typeof error.code === 'string'
}

function valueText(value: unknown, raw: boolean): string {
  return raw && typeof value === 'string' ? value.replace(/\n$/, '') : JSON.stringify(value ?? null, null, 2)
}

function isCut({ truncated = false, output_truncated = false }: ToolAnswer, puts: boolean): boolean {
  return puts ? output_truncated : truncated
}

function effectLines({ dry_run, changes = {}, plan, committed, changed = {}, replayed }: ToolAnswer): string[] {
  if (dry_run) {
    const apply = plan ? ['', `To apply exactly this: npm run plans -- apply ${plan}`] : []
    return ['Dry run: nothing was saved. It would have changed:', ...changeLines(changes), ...apply]
  }
  const counts = Object.entries(changed).map(([type, count]) => `${count} ${type}`)
  const kept = committed === 'all' ? [`Saved: ${counts.join(', ') || 'nothing changed'}`] : []
  return replayed ? ['Not run again: this is the stored result of the first run.', ...kept] : kept
}

function changeLines(changes: Changes): string[] {
  const lines = Object.entries(changes).flatMap(([type, { count, samples }]) => [
    `  ${count} ${type}`,
    ...samples.map((sample) => showHidden(`    ${JSON.stringify(sample)}`)),
    ...(count > samples.length ? [`    … and ${count - samples.length} more`] : []),
  ])
  return lines.length > 0 ? lines : ['  nothing']
}

function showFailure(
  terminal: Terminal,
  answer: ToolAnswer,
  { type, message, line, source, hint }: ProgramError,
): number {
  terminal.complain(`${type}: ${message}`)
  if (line !== null) terminal.complain(`  line ${line}: ${source?.trim() ?? ''}`)
  if (hint !== null) terminal.complain(`  hint: ${hint}`)
  for (const difference of answer.differences ?? []) terminal.complain(`  ${JSON.stringify(difference)}`)
  if (answer.committed) terminal.complain(`  committed: ${answer.committed}`)
  return exitCode(ENDS[type] ?? 'failed')
}

/** The exit codes of failures that a script may want to distinguish, by error type. */
const ENDS: Record<string, End> = {
  refused: 'refused',
  refusal_overlooked: 'refused',
  permission_denied: 'refused',
  plan_unavailable: 'refused',
  plan_outdated: 'refused',
  once_key_reused: 'refused',
  deadline_exceeded: 'limit',
  memory_limit: 'limit',
  call_limit: 'limit',
  writer_held_too_long: 'limit',
  busy: 'busy',
  conflict: 'busy',
  once_key_in_use: 'busy',
  storage_full: 'busy',
  storage_unavailable: 'busy',
  canceled: 'stopped',
}
