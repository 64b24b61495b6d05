import { createRequire } from 'node:module'
import type { Logger, pino } from 'pino'
import type { Log } from '../app.ts'
import type { Settings } from '../config.ts'

interface ErrorRecord {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorRecord
}

/** Enough for what wraps what; an error may be its own cause. */
const DEPTH = 5
/** A message may hold an answer of another server. */
const LONGEST_MESSAGE = 2_000

/** Values that are secrets by their form, and what addresses say beyond the host: a password before it, secrets after it. */
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

/** Lines of JSON on standard output from a severity on. The library is loaded with the first line; most servers write none. */
export function openLog(level: Settings['LOG_LEVEL']): Log {
  let logger: Logger | undefined
  const write = (severity: keyof Log) => {
    if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(level)) return () => {}
    return (details: object, message: string) => {
      logger ??= openLogger(level)
      logger[severity](details, message)
    }
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/**
 * What an error says of itself. Other properties stay out: libraries hang whole requests, queries with their values and
 * connections with their passwords on errors.
 */
export function errorRecord(error: unknown, depth = DEPTH): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(String(error)) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message: withoutSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack: framesOf(stack) }),
    ...(cause !== undefined && depth > 1 && { cause: errorRecord(cause, depth - 1) }),
  }
}

/** The lines of a stack trace below the message, which is there already. */
function framesOf(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/^ {4}at /m)))
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.slice(0, LONGEST_MESSAGE))
}
