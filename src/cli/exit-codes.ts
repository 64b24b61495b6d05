import { type End, EXIT_CODES } from '../contract/declarations/exit-codes.ts'
import { DatabaseStartError } from '../database/database.ts'
import { SettingError } from '../settings/config.ts'

export type { End }

export function exitCode(end: End): number {
  return EXIT_CODES[end][0]
}

/** An expected failure. Its message explains what to do, so it is printed without a stack trace. */
export class CommandError extends SettingError {
  readonly end: End

  constructor(end: End, message: string) {
    super(message)
    this.end = end
  }
}

export class UsageError extends CommandError {
  constructor(message: string, usage?: string) {
    super('usage', usage === undefined ? message : `${message}\n\n${usage}`)
  }
}

/** Returns the outcome for an error that ended a command. The outcome determines the exit code. */
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
