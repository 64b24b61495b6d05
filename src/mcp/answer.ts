import { consequencesInWords } from '../contract/declarations/consequence.ts'
import { shorten } from '../contract/values/shorten.ts'
import { cut } from '../contract/values/values.ts'
import { type Json, MAX_RESULT_BYTES, type Outcome } from '../sandbox/door.ts'
import { bytesInWords } from '../words/sizes.ts'
import { hintFor } from './answer/hints.ts'
import { tableHint } from './answer/table-hint.ts'
import type { EndedWell } from './program/ending.ts'
import type { ProgramProblem } from './program/problem.ts'
import type { Run } from './program/run.ts'
import type { RunError } from './program/run-error.ts'
import type { ProgramText } from './program/text.ts'

type Body = { [key: string]: Json }

/** What a tool call comes to: the object that `structuredContent` and the text block both hold. */
export interface ToolAnswer {
  body: Body
  isError: boolean
  /** What a client that can wait gets instead: the id of a handle. */
  handle?: string
}

const MESSAGE_LIMIT = 2_000
const SOURCE_LIMIT = 500
/** Bytes as JSON, where each control character takes six. */
const OUTPUT_LIMIT_BYTES = 100_000
const CHANGES_LIMIT_BYTES = 50_000
const SHOWN_WARNINGS = 20
const WARNING_LIMIT = 1_000

/** The answer of `code_search`, which calls nothing and writes nothing. */
export function searchAnswer(outcome: Outcome): ToolAnswer {
  if (outcome.ok) return { body: success(outcome, outcome.warnings, {}), isError: false }
  const { error } = outcome
  return { body: { error: shownError(error, error.hint), ...printed(outcome) }, isError: true }
}

/** The answer to a `code` argument that is no program. */
export function problemAnswer(problem: ProgramProblem): ToolAnswer {
  return notRunAnswer({ type: 'invalid_program', ...problem })
}

/** The answer when nothing was run. */
export function notRunAnswer(error: RunError): ToolAnswer {
  return { body: { error: shownError(error, error.hint), committed: 'none', calls: [] }, isError: true }
}

/** The body of a run of `code_execute` that ended well. It says what was kept, so that nobody reads back to be sure. */
export function executedBody(program: ProgramText, run: EndedWell): Body {
  const { outcome, calls, wrote, consequences } = run
  const overlooked = program.atomic ? [] : overlookedWarning(run)
  const warnings = [
    ...program.warnings,
    ...outcome.warnings,
    ...calls.warnings,
    ...calls.pages.warnings(),
    ...overlooked,
    ...tableHints(outcome),
  ]
  const kept: Body = wrote ? { committed: 'all', changed: calls.changes.counts() } : {}
  const changes = shorten(calls.changes.shown(), CHANGES_LIMIT_BYTES)
  const after_commit = consequencesInWords(consequences)
  const following: Body = after_commit === null ? {} : { after_commit }
  const planned: Body = { dry_run: true, changes, ...following, ...calls.journal.shown({ besidesChanges: true }) }
  return success(outcome, warnings, program.dryRun ? planned : kept)
}

/** A shortened result says already that it is too long. */
function tableHints({ value, shortened }: Outcome & { ok: true }): string[] {
  const hint = shortened ? null : tableHint(value)
  return hint === null ? [] : [hint]
}

/** The answer of a run that did not end well. */
export function failureAnswer(run: Run): ToolAnswer {
  const { calls, outcome, committed, differences } = run
  const error = run.error!
  const warnings = [...outcome.warnings, ...calls.warnings]
  const body: Body = {
    error: shownError(error, hintFor(error, calls.journal.calls, calls.journal.count)),
    committed,
    ...(committed === 'partial' && { changed: calls.changes.counts() }),
    ...(differences.length > 0 && { differences: shorten(differences, CHANGES_LIMIT_BYTES) }),
    ...calls.journal.shown(),
    ...printed(outcome),
    ...(warnings.length > 0 && { warnings: firstOf(warnings) }),
  }
  return { body, isError: true }
}

/** The body as it is stored for another request: as long as it is for a reader, also where its first caller got all of it. */
export function keptBody(body: Body): Body {
  const result = shorten(body.result ?? null, MAX_RESULT_BYTES)
  if (result === body.result || body.result === undefined) return body
  return { ...body, warnings: [...((body.warnings ?? []) as string[]), SHORTENED], truncated: true, result }
}

function overlookedWarning({ outcome, calls }: Pick<EndedWell, 'outcome' | 'calls'>): string[] {
  const write = calls.refusedWrite(outcome.overlooked)
  return write ? [`${write.method} ${write.path} was refused (${write.message}), but the program ignored it.`] : []
}

function success(outcome: Outcome & { ok: true }, warnings: string[], facts: Body): Body {
  const { value: result, shortened } = outcome
  const shown = shortened ? [...firstOf(warnings), SHORTENED] : firstOf(warnings)
  return {
    // First, because clients cut long answers at their end.
    ...(shown.length > 0 && { warnings: shown }),
    ...(shortened && { truncated: true }),
    ...facts,
    result,
    ...printed(outcome),
  }
}

/** What programs and paths are quoted in can be as long as they are. */
function firstOf(warnings: string[]): string[] {
  const shown = warnings.slice(0, SHOWN_WARNINGS).map((warning) => cut(warning, WARNING_LIMIT))
  return warnings.length > shown.length ? [...shown, `… (${warnings.length - shown.length} more warnings)`] : shown
}

const SHORTENED =
  `The result was longer than ${bytesInWords(MAX_RESULT_BYTES)} and is shortened here; the program had all of it,  ` +
  'where select, map, sum or first narrow it.'

/** What was printed, unless it is the result once more, as after `p describe("order")`. */
function printed({ output, outputCut = false, ...outcome }: Outcome): Body {
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
