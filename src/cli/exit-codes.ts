import { type End, EXIT_CODES } from '../contract/declarations/exit-codes.ts'
import { DatabaseStartError } from '../database/database.ts'
import { SettingError } from '../settings/config.ts'

export type { End }

export function exitCode(end: End): number {
  return EXIT_CODES[end][0]
}

/** An expected failure. Its message tells the user what to do, so no stack trace is printed. */
export class CommandError extends SettingError {
  override name = 'CommandError'
  readonly end: End

  constructor(end: End, message: string) {
    super(message)
    this.end = end
  }
}

export class UsageError extends CommandError {
  override name = 'UsageError'

  /** `usage` is printed below the message. */
  constructor(message: string, usage?: string) {
    super('usage', usage === undefined ? message : `${message}\n\n${usage}`)
  }
}

/** Returns the outcome, which determines the exit code, for an error that ended a command. */
export function endOf(error: unknown, command?: string): End {
  if (error instanceof CommandError) return error.end
  if (error instanceof SettingError && command === 'start') return 'settings'
  if (error instanceof DatabaseStartError && error.reason === 'empty') return 'noData'
  if (error instanceof DatabaseStartError && error.reason === 'unreachable') return 'unreachable'
  return 'failed'
}

export function exitCodeLines(): string[] {
  const lines = Object.values(EXIT_CODES).map(
    ([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning.replaceAll('`', '')}`,
  )
  return ['Exit codes:', '', ...lines]
}
