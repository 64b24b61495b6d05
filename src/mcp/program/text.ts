import { nearest } from '../../contract/values/nearest.ts'
import { formatNumber } from '../../format/numbers.ts'
import { MAX_PROGRAM_BYTES } from '../../sandbox/api.ts'
import { argumentsProblem } from './arguments.ts'
import type { ProgramProblem } from './problem.ts'

export { MAX_PROGRAM_BYTES }

export interface ProgramText {
  code: string
  dryRun: boolean
  atomic: boolean
  /** Whether the program consists of a single `each_batch`, whose batches run one after another. */
  background: boolean
  /** The key under which the program runs at most once. */
  once: string | null
  /** Warnings about lines at the start of the program that resemble a setting but have no effect. */
  warnings: string[]
}

/** A command such as `# apply: plan_…`, sent in place of a program, that acts on a plan. */
export interface PlanCommand {
  command: 'apply' | 'withdraw'
  planId: string
}

const VERBS = ['status', 'stop', 'resume'] as const

/** A command such as `# stop: bg_…`, sent in place of a program, that acts on a background program. */
export interface BackgroundCommand {
  verb: (typeof VERBS)[number]
  id: string
}

const FIRST_LINES = 10
/** The maximum number of characters of a line that are searched for a setting. */
const LINE_START = 500
const FENCE = /^(`{3,}|~{3,})[^`]*$/
/** Matches many spellings of the setting, because a dry run that is not recognized would change the shop. */
const DRY_RUN = /^\s*#+\s*dry[ _-]?run\s*(?:$|[:=]\s*(true|false|yes|no|on|off)\b)/i
const BARE_ONCE = /^\s*#+\s*once\s*$/i
const SETTING = /^\s*#+\s*([a-z]+(?:[ _-][a-z]+)?)\s*[:=]/i
const SETTINGS = ['dry_run', 'atomic', 'once', 'apply', 'withdraw', 'background', 'status', 'stop', 'resume']
const ONCE = /^\s*#+\s*once\s*[:=]\s*(.*?)\s*$/i
const PLAN_COMMAND = /^\s*#+\s*(apply|withdraw)\s*[:=]\s*(plan_\S*)\s*$/i
const BACKGROUND = /^\s*#+\s*background\s*[:=]\s*(true|false|yes|no|on|off)\b/i
const COMMAND = /^\s*#+\s*(status|stop|resume)\s*[:=]\s*(bg_\S*)\s*$/i
const ONCE_KEY = /^[\x21-\x7e]{1,200}$/
const ATOMIC = /^\s*#+\s*atomic\s*[:=]\s*(true|false|yes|no|on|off)\b/i

/** Parses the `code` argument of a tool call: a program with settings such as `# dry_run: true`, or a command such as `# apply: plan_…`. */
export function readProgram(code: unknown): ProgramText | PlanCommand | BackgroundCommand | ProgramProblem {
  if (code === undefined || code === null) return problem('The argument `code` is missing: it takes a Ruby program.')
  if (typeof code !== 'string') return problem(`The argument \`code\` takes a string, not ${kindOf(code)}.`)
  if (code.length > MAX_PROGRAM_BYTES) return tooLong(code)
  return readText(withoutFence(code))
}

/** Parses a stored program, such as a plan's. A Markdown fence around it was removed before storing; any other is part of it. */
export function readText(text: string): ProgramText | PlanCommand | BackgroundCommand | ProgramProblem {
  if (text.trim() === '') return problem('The argument `code` is empty: it takes a Ruby program.')
  const whole = text.split('\n')
  const wrong = argumentsProblem(whole)
  if (wrong !== null) return wrong
  // PostgreSQL rejects NUL characters, also in ids.
  const lines = whole.map((line) => line.slice(0, LINE_START).replaceAll('\0', '\u2400'))
  const late = lines.findIndex((line, index) => index >= FIRST_LINES && isRiskyIfIgnored(line))
  if (late >= 0) return tooLate(lines[late]!, late + 1)
  const first = lines.slice(0, FIRST_LINES)
  const plan = first.map((line) => PLAN_COMMAND.exec(line)).find((found) => found !== null)
  if (plan) return planCommand(plan, lines)
  const command = first.map(commandIn).find((found) => found !== null)
  if (command) return aloneIn(lines, command)
  return withOptions(text, first)
}

function withOptions(code: string, first: string[]): ProgramText | ProgramProblem {
  const bare = first.findIndex((line) => BARE_ONCE.test(line))
  if (bare >= 0)
    return {
      ...problem('`# once` needs a key after a colon, as in `# once: import-2026-11`; nothing was run.'),
      line: bare + 1,
      source: first[bare]!.trim(),
      hint: 'For example # once: import-2026-11',
    }
  const program = {
    code,
    dryRun: setting(first, DRY_RUN, false),
    atomic: setting(first, ATOMIC, true),
    background: first.some((line) => BACKGROUND.test(line)) && setting(first, BACKGROUND, false),
    once: commentValue(first, ONCE),
    warnings: first.flatMap(nearlyWarning),
  }
  if (program.background && !program.atomic)
    return {
      ...problem(
        'Each batch of a background program is one transaction, so `# atomic: false` is not possible; nothing was run.',
      ),
      hint: 'Leave out # atomic: false.',
    }
  if (program.once === null) return program
  if (!ONCE_KEY.test(program.once))
    return {
      ...problem('`# once:` takes a key of 1 to 200 ASCII characters without spaces; nothing was run.'),
      hint: 'For example # once: import-2026-11',
    }
  if (!program.atomic && !program.dryRun)
    return {
      ...problem(
        '`# once:` needs one transaction, and `# atomic: false` commits each call by itself; nothing was run.',
      ),
      hint: 'Leave out # atomic: false.',
    }
  return program
}

/** Parses a command that acts on a plan. The plan's own program is run, so the text may not contain any other line. */
function planCommand(found: RegExpExecArray, lines: string[]): PlanCommand | ProgramProblem {
  const [, word = '', planId = ''] = found
  const command = word.toLowerCase() === 'withdraw' ? 'withdraw' : 'apply'
  const other = lines.findIndex((line) => line.trim() !== '' && PLAN_COMMAND.exec(line)?.[1]?.toLowerCase() !== command)
  if (other < 0) return { command, planId }
  return {
    message: ALONE[command],
    line: other + 1,
    source: lines[other]!.trim(),
    hint: `Send only # ${command}: ${planId.slice(0, 100)}`,
  }
}

const ALONE: Record<PlanCommand['command'], string> = {
  apply: '`# apply:` runs the plan’s program, so it must be the only line; nothing was run.',
  withdraw: '`# withdraw:` must be the only line; nothing was run.',
}

function commandIn(line: string): BackgroundCommand | null {
  const [, word = '', id = ''] = COMMAND.exec(line) ?? []
  const verb = VERBS.find((one) => one === word.toLowerCase())
  return verb === undefined ? null : { verb, id }
}

function aloneIn(lines: string[], command: BackgroundCommand): BackgroundCommand | ProgramProblem {
  const other = lines.findIndex((one) => one.trim() !== '' && !COMMAND.test(one))
  if (other < 0) return command
  const alone = `# ${command.verb}: ${command.id.slice(0, 100)}`
  return {
    message: `\`${alone}\` must be the only line; nothing was run.`,
    line: other + 1,
    source: lines[other]?.trim() ?? null,
    hint: `Send only ${alone}`,
  }
}

function nearlyWarning(line: string): string[] {
  const word = SETTING.exec(line)?.[1]?.toLowerCase().replace(/[ -]/, '_')
  if (word === undefined || SETTINGS.includes(word) || [DRY_RUN, ATOMIC].some((known) => known.test(line))) return []
  const meant = nearest(word, SETTINGS)
  return meant === null ? [] : [`\`${line.trim().slice(0, 100)}\` has no effect; did you mean \`# ${meant}:\`?`]
}

function commentValue(lines: string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const found = pattern.exec(line)
    if (found) return found[1] ?? ''
  }
  return null
}

export function withoutFence(code: string): string {
  const lines = code.trim().split('\n')
  const fence = FENCE.exec(lines[0]!)?.[1]
  if (fence === undefined || lines.length < 2 || lines.at(-1)!.trim() !== fence) return code
  return lines.slice(1, -1).join('\n').replace(/\r$/, '')
}

/** Returns the boolean value of the first comment that matches the pattern. A comment without a value means true. */
function setting(lines: string[], pattern: RegExp, fallback: boolean): boolean {
  for (const line of lines) {
    const found = pattern.exec(line)
    if (found) return !/^(false|no|off)$/i.test(found[1] ?? '')
  }
  return fallback
}

function problem(message: string): ProgramProblem {
  return { message, line: null, source: null, hint: 'For example {"code": "tools.map { |t| t[:path] }.uniq"}.' }
}

function tooLong(code: string): ProgramProblem {
  const most = formatNumber(MAX_PROGRAM_BYTES)
  const message = `The argument \`code\` is too long: ${formatNumber(code.length)} characters, of at most ${most}.`
  return { message, line: null, source: null, hint: 'Split it into several programs.' }
}

function isRiskyIfIgnored(line: string): boolean {
  return line.includes('#') && (setting([line], DRY_RUN, false) || ONCE.test(line))
}

function tooLate(source: string, line: number): ProgramProblem {
  return {
    message: `\`${source.trim().slice(0, 100)}\` is on line ${line}, but such comments work only in the first ${FIRST_LINES} lines; nothing was run.`,
    line,
    source: source.trim(),
    hint: 'Move it to line 1.',
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
