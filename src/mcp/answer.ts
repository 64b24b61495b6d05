import { type Consequences, consequencesInWords } from '../contract/declarations/consequence.ts'
import { shorten } from '../contract/values/shorten.ts'
import { cut } from '../contract/values/values.ts'
import { bytesInWords } from '../format/sizes.ts'
import { type Json, MAX_RESULT_BYTES, type Outcome } from '../sandbox/api.ts'
import { hintFor } from './answer/hints.ts'
import type { NetChange, ProgramChanges } from './program/changes.ts'
import type { SuccessfulRun } from './program/ending.ts'
import type { ProgramProblem } from './program/problem.ts'
import type { Run } from './program/run.ts'
import type { RunError } from './program/run-error.ts'
import type { ProgramText } from './program/text.ts'

/** A shorter result is easy to read without a table. */
const MIN_RESULT_BYTES = 4_000
/** A table is suggested only if its size is below this share of the size of the JSON. */
const MAX_TABLE_SHARE = 0.5
const EXAMPLE_COLUMNS = 3

/** Suggests the Ruby method `table` if that would more than halve the size of a long result; returns null otherwise. */
export function tableHint(result: Json): string | null {
  const size = sizeOf(result)
  if (size <= MIN_RESULT_BYTES) return null
  const rows = rowsOf(result)
  const [first] = rows
  if (!first) return null
  const columns = Object.keys(first)
  if (!rows.every((row) => Object.keys(row).join() === columns.join())) return null
  const table = columns.join().length + rows.reduce((sum, row) => sum + lineSize(row), 0)
  if (table >= size * MAX_TABLE_SHARE) return null
  const example = columns.slice(0, EXAMPLE_COLUMNS).map((name) => JSON.stringify(name))
  const named = columns.length > EXAMPLE_COLUMNS ? [...example, '…'] : example
  return `The result takes ${bytesInWords(size)}; table(rows, ${named.join(', ')}) would take ${bytesInWords(table)}.`
}

type Row = { [key: string]: Json }

function rowsOf(result: Json): Row[] {
  const lists = Array.isArray(result) ? [result] : isRow(result) ? Object.values(result).filter(Array.isArray) : []
  const [list] = lists
  return lists.length === 1 && list?.every(isRow) ? list : []
}

function isRow(value: Json): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lineSize(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => sum + (value === null ? 1 : cellSize(value) + 1), 1)
}

function cellSize(value: Json): number {
  return typeof value === 'string' ? sizeOf(value) - 2 : sizeOf(value)
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}

type ResponseBody = { [key: string]: Json }

/** The response to a tool call. The body is returned both as `structuredContent` and as text. */
export interface ToolAnswer {
  body: ResponseBody
  isError: boolean
  /** The id at which the client can poll for the final response of a call that continues in the background. */
  handle?: string
}

const MESSAGE_LIMIT = 2_000
const SOURCE_LIMIT = 500
/** The maximum size of the output as JSON, where a control character takes six bytes. */
const OUTPUT_LIMIT_BYTES = 100_000
const CHANGES_LIMIT_BYTES = 50_000
const SHOWN_WARNINGS = 20
const WARNING_LIMIT = 1_000

export function searchAnswer(outcome: Outcome): ToolAnswer {
  if (outcome.ok) return { body: success(outcome, outcome.warnings, {}), isError: false }
  const { error } = outcome
  return { body: { error: shownError(error, error.hint), ...printed(outcome) }, isError: true }
}

export function problemAnswer(problem: ProgramProblem): ToolAnswer {
  return notRunAnswer({ type: 'invalid_program', ...problem })
}

export function notRunAnswer(error: RunError): ToolAnswer {
  return { body: { error: shownError(error, error.hint), committed: 'none', calls: [] }, isError: true }
}

/** Returns the body for a successful program. It includes the changes, so that the agent need not read the records again. */
export function executedBody(program: ProgramText, run: SuccessfulRun): ResponseBody {
  const { outcome, calls, wrote } = run
  const overlooked = program.atomic ? [] : overlookedWarning(run)
  const warnings = [
    ...program.warnings,
    ...outcome.warnings,
    ...calls.warnings,
    ...calls.pages.warnings(),
    ...overlooked,
    ...tableHints(outcome),
  ]
  const kept: ResponseBody = wrote ? { committed: 'all', changed: calls.changes.counts() } : {}
  const planned: ResponseBody = {
    dry_run: true,
    ...effectsOf(calls.changes, run.consequences, outcome.value),
    ...(calls.rehearsed && {
      rehearsed: effectsOf(calls.rehearsed.changes, run.rehearsedConsequences, outcome.value),
    }),
    ...calls.journal.shown({ besidesChanges: true }),
  }
  const shown = program.dryRun ? [...calls.changes.all(), ...(calls.rehearsed?.changes.all() ?? [])] : []
  return success(outcome, warnings, { ...(program.dryRun ? planned : kept), ...byStrangers(run, shown) })
}

/**
 * Returns the names of fields with text by strangers, such as `review.content`: those that the program read, unless it returned
 * no text at all, and those in the changes that the response shows.
 */
function byStrangers({ calls, outcome }: Pick<Run, 'calls' | 'outcome'>, shown: readonly NetChange[]): ResponseBody {
  const hasText = !outcome.ok || outcome.output !== '' || JSON.stringify(outcome.value).includes('"')
  const names = calls.strangerTexts.names({ read: hasText, shown })
  return names.length > 0 ? { written_by_strangers: names } : {}
}

function effectsOf(changes: ProgramChanges, consequences: Consequences[], result: Json): ResponseBody {
  const after_commit = consequencesInWords(consequences)
  return {
    changes: shorten(changes.shown(result), CHANGES_LIMIT_BYTES),
    ...(after_commit !== null && { after_commit }),
  }
}

/** Suggests the Ruby method `table` for a long result. A shortened result already has a warning about its length. */
function tableHints({ value, shortened }: Outcome & { ok: true }): string[] {
  const hint = shortened ? null : tableHint(value)
  return hint === null ? [] : [hint]
}

export function failureAnswer(run: Run): ToolAnswer {
  const { calls, outcome, committed, differences } = run
  const error = run.error!
  const warnings = [...outcome.warnings, ...calls.warnings]
  const body: ResponseBody = {
    error: shownError(error, hintFor(error, calls.journal.calls, calls.journal.count)),
    committed,
    ...(committed === 'partial' && { changed: calls.changes.counts() }),
    ...(differences.length > 0 && { differences: shorten(differences, CHANGES_LIMIT_BYTES) }),
    ...calls.journal.shown(),
    ...byStrangers(run, differences.length > 0 ? calls.changes.all() : []),
    ...printed(outcome),
    ...(warnings.length > 0 && { warnings: shownWarnings(warnings) }),
  }
  return { body, isError: true }
}

/** Returns the body to store for replays, with a shortened result even if the first caller got all of it. */
export function keptBody(body: ResponseBody): ResponseBody {
  const result = shorten(body.result ?? null, MAX_RESULT_BYTES)
  if (result === body.result || body.result === undefined) return body
  return { ...body, warnings: [...((body.warnings ?? []) as string[]), SHORTENED], truncated: true, result }
}

function overlookedWarning({ outcome, calls }: Pick<SuccessfulRun, 'outcome' | 'calls'>): string[] {
  const write = calls.refusedWrite(outcome.overlooked)
  return write ? [`${write.method} ${write.path} was refused (${write.message}), but the program ignored it.`] : []
}

function success(outcome: Outcome & { ok: true }, warnings: string[], facts: ResponseBody): ResponseBody {
  const { value: result, shortened } = outcome
  const shown = shortened ? [...shownWarnings(warnings), SHORTENED] : shownWarnings(warnings)
  return {
    // Warnings come first, because clients cut off the end of long responses.
    ...(shown.length > 0 && { warnings: shown }),
    ...(shortened && { truncated: true }),
    ...facts,
    result,
    ...printed(outcome),
  }
}

/** Limits the warnings, which can quote long programs and paths. */
function shownWarnings(warnings: string[]): string[] {
  const shown = warnings.slice(0, SHOWN_WARNINGS).map((warning) => cut(warning, WARNING_LIMIT))
  return warnings.length > shown.length ? [...shown, `… (${warnings.length - shown.length} more warnings)`] : shown
}

const SHORTENED =
  `The result was longer than ${bytesInWords(MAX_RESULT_BYTES)} and is shortened here; the program had all of it,  ` +
  'where select, map, sum or first narrow it.'

/** Omits output that repeats the result, as after `p describe("order")`. */
function printed({ output, outputCut = false, ...outcome }: Outcome): ResponseBody {
  if (output === '' || (outcome.ok && isSaidBy(outcome.value, output.trim()))) return {}
  const shown = shorten(output, OUTPUT_LIMIT_BYTES)
  return { output: shown, ...((outputCut || shown !== output) && { output_truncated: true }) }
}

function isSaidBy(value: Json, output: string): boolean {
  return typeof value === 'string' && (value.trim() === output || JSON.stringify(value) === output)
}

function shownError(error: RunError, hint: string | null): Json {
  const { type, message, line, source } = error
  const [shownSource, shownHint] = [source, hint].map((text) => text && cut(text, SOURCE_LIMIT))
  return { type, message: cut(message, MESSAGE_LIMIT), line, source: shownSource!, hint: shownHint! }
}
