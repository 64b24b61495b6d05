import { jsonIn } from '../../contract/values/json.ts'
import type { ProgramProblem } from './problem.ts'

/** The values of the constant `ARGV` and the method `data` in a Ruby program. */
export interface Arguments {
  argv: string[]
  data?: unknown
}

/** Matches the last line of a program; `ruby-prelude/arguments.rb` parses the same line. */
const LINE = /^# arguments: (\{.*)$/

/** Returns the comment that passes arguments to a program as its last line. JSON contains no line breaks. */
export function argumentsLine({ argv, data }: Arguments): string {
  return `# arguments: ${JSON.stringify({ argv, ...(data !== undefined && { data }) })}`
}

export function argumentsProblem(lines: string[]): ProgramProblem | null {
  const at = lines.findLastIndex((line) => line.trim() !== '')
  const text = LINE.exec(lines[at] ?? '')?.[1]
  if (text === undefined || isArguments(jsonIn(text))) return null
  return {
    message: 'The comment `# arguments:` is not JSON of the form {"argv": ["text"], "data": …}; nothing was run.',
    line: at + 1,
    source: lines[at]!.slice(0, 100),
    hint: 'For example # arguments: {"argv": ["red"]}',
  }
}

function isArguments(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { argv = [] } = value as { argv?: unknown }
  const known = Object.keys(value).every((name) => name === 'argv' || name === 'data')
  return known && Array.isArray(argv) && argv.every((one) => typeof one === 'string')
}
