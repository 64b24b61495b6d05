import type { Json, Outcome } from '../sandbox/door.ts'
import { hintFor } from './answer/hints.ts'
import { shorten } from './answer/shorten.ts'
import type { Run } from './program/run.ts'
import type { RunError } from './program/run-error.ts'
import type { ProgramProblem, ProgramText } from './program/text.ts'

/** What a tool call comes to: the object that `structuredContent` and the text block both hold. */
export interface ToolAnswer {
  body: { [key: string]: Json }
  isError: boolean
}

/** What comes back is read by a model; more than this only pushes other things out of its view. */
const RESULT_LIMIT_BYTES = 100_000
const MESSAGE_LIMIT = 2_000

/** The answer of `code_execute`. */
export function executeAnswer(run: Run, program: ProgramText): ToolAnswer {
  const { outcome, calls } = run
  if (run.error !== null || !outcome.ok) return failure(run)
  const warnings = [...outcome.warnings, ...calls.warnings, ...calls.pages.warnings()]
  return {
    body: {
      ...success(outcome.value, outcome.output, warnings),
      ...(program.dryRun && { dry_run: true, ...calls.journal.shownChanges() }),
    },
    isError: false,
  }
}

/** The answer of `code_search`, which calls nothing and writes nothing. */
export function searchAnswer(outcome: Outcome): ToolAnswer {
  if (outcome.ok) return { body: success(outcome.value, outcome.output, outcome.warnings), isError: false }
  const { error } = outcome
  return { body: { error: shownError(error, error.hint), ...printed(outcome.output) }, isError: true }
}

/** The answer to a `code` argument that is no program. */
export function problemAnswer(problem: ProgramProblem): ToolAnswer {
  const error = { type: 'invalid_program' as const, ...problem }
  return { body: { error: shownError(error, error.hint), committed: 'none', calls: [] }, isError: true }
}

function failure(run: Run): ToolAnswer {
  const { calls, outcome, committed } = run
  const error = run.error!
  const warnings = [...outcome.warnings, ...calls.warnings]
  return {
    body: {
      error: shownError(error, hintFor(error, calls.journal.calls, calls.journal.count)),
      committed,
      ...calls.journal.shown(),
      ...printed(outcome.output),
      ...(warnings.length > 0 && { warnings }),
    },
    isError: true,
  }
}

function success(value: Json, output: string, warnings: string[]): { [key: string]: Json } {
  const result = shorten(value, RESULT_LIMIT_BYTES)
  const truncated = result !== value
  const shown = truncated ? [...warnings, SHORTENED] : warnings
  return {
    // First, because clients cut long answers at their end.
    ...(shown.length > 0 && { warnings: shown }),
    ...(truncated && { truncated: true }),
    result,
    ...printed(output),
  }
}

const SHORTENED =
  `The result was longer than ${RESULT_LIMIT_BYTES / 1_000} KB and is shortened here; all of it was there inside the program, ` +
  'where select, map, sum or first narrow it.'

function printed(output: string): { output?: string } {
  return output === '' ? {} : { output }
}

function shownError(error: RunError, hint: string | null): Json {
  const { type, message, line, source } = error
  return { type, message: message.slice(0, MESSAGE_LIMIT), line, source, hint }
}
