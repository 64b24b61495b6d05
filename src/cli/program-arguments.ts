import { argumentsLine } from '../mcp/program/arguments.ts'
import { MAX_PROGRAM_BYTES, withoutFence } from '../mcp/program/text.ts'
import { memoryInWords } from '../words/sizes.ts'
import { UsageError } from './exit-codes.ts'

/** What a program is given from outside. */
export interface ProgramArguments {
  argv: string[]
  /** Absent when no data was given. */
  data?: unknown
}

/** The value of a text of JSON. Throws UsageError, which says where the text is wrong. */
export function parseData(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}

/**
 * The program with its arguments: a comment after its last line, which the sandbox reads. So no line of the program moves,
 * its first lines keep their meaning, and a plan keeps what it was made with. Throws UsageError when both are too long.
 */
export function withArguments(code: string, given: ProgramArguments): string {
  // One that asks for ARGV runs without arguments too.
  if (given.argv.length === 0 && given.data === undefined && !/\bARGV\b/.test(code)) return code
  const program = withoutFence(code)
  const whole = `${program}${program.endsWith('\n') ? '' : '\n'}${argumentsLine(given)}`
  const bytes = Buffer.byteLength(whole)
  if (bytes <= MAX_PROGRAM_BYTES) return whole
  throw new UsageError(
    `The program and its arguments are ${memoryInWords(bytes)} together; the limit is ${memoryInWords(MAX_PROGRAM_BYTES)}. Pass less data at a time.`,
  )
}
