import type { ProgramProblem } from './problem.ts'

/** The values of `ARGV` and `data` in a program. */
export interface Arguments {
  argv: string[]
  data?: unknown
}

/** The last line of a program with arguments; the sandbox reads the same form (`ruby-prelude/arguments.rb`). */
const LINE = /^# arguments: (\{.*)$/

/** Returns the comment that gives a program its arguments, as its last line. JSON has no line breaks, so it cannot end the comment. */
export function argumentsLine({ argv, data }: Arguments): string {
  return `# arguments: ${JSON.stringify({ argv, ...(data !== undefined && { data }) })}`
}

/** Returns the error in the arguments line of a program, or null. */
export function argumentsProblem(lines: string[]): ProgramProblem | null {
  const at = lines.findLastIndex((line) => line.trim() !== '')
  const text = LINE.exec(lines[at] ?? '')?.[1]
  if (text === undefined || isArguments(parsed(text))) return null
  return {
    message: 'The comment `# arguments:` is not JSON of the form {"argv": ["text"], "data": …}; nothing was run.',
    line: at + 1,
    source: lines[at]!.slice(0, 100),
    hint: 'For example # arguments: {"argv": ["red"]}',
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isArguments(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { argv = [] } = value as { argv?: unknown }
  const known = Object.keys(value).every((name) => name === 'argv' || name === 'data')
  return known && Array.isArray(argv) && argv.every((one) => typeof one === 'string')
}
