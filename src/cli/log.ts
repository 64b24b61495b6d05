import { createRequire } from 'node:module'
import type { Logger, pino } from 'pino'
import type { Log } from '../app.ts'
import { kindOfError } from '../runtime/errors.ts'
import { lazy } from '../runtime/lazy.ts'
import type { Settings } from '../settings/config.ts'

interface ErrorRecord {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorRecord
}

/** The maximum number of nested causes in the log. It is limited because an error can be its own cause. */
const DEPTH = 5
/** Longer messages are cut, because they may contain another server's whole response. */
const LONGEST_MESSAGE = 2_000

/** Patterns of secrets: tokens, webhook secrets and keys of payment providers, and the user, password, path and query of a URL. */
const SECRETS: [pattern: RegExp, instead: string][] = [
  [/\b((?:shpw[acr]?|whsec|[sr]k_(?:live|test))_)[\w+/=.-]+/g, '$1…'],
  [/\b([a-z][a-z+]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']+)[^\s"']*/gi, '$1$2/…'],
]

const require = createRequire(import.meta.url)
const SEVERITIES = ['debug', 'info', 'warn', 'error', 'silent'] as const

function openLogger(level: Settings['LOG_LEVEL']): Logger {
  const library = require('pino') as typeof pino
  return library({
    level,
    timestamp: library.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorRecord },
  })
}

/** Writes JSON lines to standard output. Pino is loaded with the first line, because most servers write none. */
export function openLog(level: Settings['LOG_LEVEL']): Log {
  const logger = lazy(() => openLogger(level))
  const write = (severity: keyof Log) => {
    if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(level)) return () => {}
    return (details: object, message: string) => {
      logger()[severity](details, message)
    }
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Returns only safe properties of an error, because libraries attach requests, query parameters and passwords to errors. */
export function errorRecord(error: unknown, depth = DEPTH): ErrorRecord {
  if (!(error instanceof Error)) return { type: kindOfError(error), message: withoutSecrets(String(error)) }
  const { message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: kindOfError(error),
    message: withoutSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack: framesOf(stack) }),
    ...(cause !== undefined && depth > 1 && { cause: errorRecord(cause, depth - 1) }),
  }
}

/** The message at the start of a stack trace is removed, because it is logged separately. */
function framesOf(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/^ {4}at /m)))
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.slice(0, LONGEST_MESSAGE))
}
