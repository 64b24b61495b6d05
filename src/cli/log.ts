import { createRequire } from 'node:module'
import type { Logger, pino } from 'pino'
import type { Log } from '../app.ts'
import type { Settings } from '../config.ts'
import { errorRecord } from './error-record.ts'

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
