import { jsonIn } from '../contract/values/json.ts'
import type { Json, ProgramError, ProgramErrorType } from './api.ts'
import { MAX_WHOLE_BYTES } from './api.ts'
import type { BrokenEnding } from './messages.ts'

/** The outcome of a program, without its output and duration. */
export type Ending = { warnings: string[]; overlooked: number[]; returned: number[] } & (
  | { ok: true; value: Json; shortened: boolean }
  | { ok: false; error: ProgramError }
)

export type FailedEnding = Extract<Ending, { ok: false }>

/** The error types that the guest may report. All other types are set by the host. */
const GUEST_TYPES = new Set<ProgramErrorType>([
  'syntax_error',
  'unknown_path',
  'ruby_error',
  'refused',
  'forbidden',
  'invalid_result',
  'memory_limit',
])

const TEXT_LENGTH = 4000
const SOURCE_LENGTH = 500
const WARNINGS = 20
/** In characters. Applies to reports of the guest; those that the worker writes are shorter. */
const MAX_REPORT = MAX_WHOLE_BYTES

export function failure(
  type: ProgramErrorType,
  message: string,
  line: number | null = null,
  code = '',
  hint: string | null = null,
): FailedEnding {
  const source = line === null ? undefined : code.split('\n')[line - 1]
  const error = { type, message, line, source: source?.trim().slice(0, SOURCE_LENGTH) ?? null, hint }
  return { ok: false, error, warnings: [], overlooked: [], returned: [] }
}

/** Parses the guest's report of how its program ended. Every field is checked, because a program can redefine how Ruby writes JSON. */
export function guestOutcome(text: string, code: string, refused: ReadonlySet<number>): Ending {
  const said = text.length > MAX_REPORT ? undefined : record(jsonIn(text))
  const overlooked = ordinals(said?.overlooked, refused)
  const returned = ordinals(said?.returned, refused)
  if (said?.ok === true && said.value !== undefined) {
    const shortened = said.shortened === true
    return { ok: true, value: said.value as Json, shortened, warnings: texts(said.warnings), overlooked, returned }
  }
  const error = record(said?.error)
  const type = error?.type as ProgramErrorType
  if (!error || !GUEST_TYPES.has(type)) return failure('invalid_result', UNREADABLE)
  const lines = code.split('\n').length
  const line =
    Number.isInteger(error.line) && (error.line as number) >= 1 ? Math.min(error.line as number, lines) : null
  return {
    ...failure(type, textOf(error.message) ?? 'The program failed.', line, code, textOf(error.hint)),
    overlooked,
  }
}

/** Returns the reported ordinal numbers that belong to refused calls, each once and in order. */
function ordinals(reported: unknown, refused: ReadonlySet<number>): number[] {
  const claimed = new Set(Array.isArray(reported) ? reported : [])
  return [...refused].filter((ordinal) => claimed.has(ordinal))
}

const UNREADABLE = 'The result could not be read; the program changed how Ruby writes JSON.'

/** Returns the outcome of a program that broke down. The failing line is unknown, so `lastLine` is the line of its last call. */
export function brokenOutcome(ending: BrokenEnding, lastLine: number | null, code: string): FailedEnding {
  const [type, message, hint] = BROKEN[ending]
  return failure(type, `${message}${lastCallOn(lastLine)}`, null, code, hint)
}

export function lastCallOn(line: number | null): string {
  return line === null ? '' : ` Its last call was on line ${line}.`
}

/** In this interpreter, every jump out of a block or a method takes 300 bytes of stack, which are freed only when the program ends. */
const STACK_HINT =
  'Besides recursion, tens of thousands of raises, throws, breaks or returns out of blocks use up the stack.'

const BROKEN: Record<BrokenEnding, [ProgramErrorType, string, string | null]> = {
  stack: ['ruby_error', 'stack level too deep (SystemStackError).', STACK_HINT],
  memory: ['memory_limit', 'The program needed more memory than the sandbox has.', 'Keep less at a time.'],
  forbidden: ['forbidden', 'The program used something that the sandbox does not provide.', null],
  result_too_large: ['invalid_result', 'The result is larger than 4 MB.', 'Return only what you need.'],
  request_too_large: ['ruby_error', 'A request of the program is larger than 1 MB.', null],
  crash: ['ruby_error', 'The program crashed its interpreter.', STACK_HINT],
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, TEXT_LENGTH) : null
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, WARNINGS).flatMap((text) => textOf(text) ?? []) : []
}
