import type { ProgramProblem } from './problem.ts'

/** What programs find in `ARGV` and `data`. */
export interface Arguments {
  argv: string[]
  data?: unknown
}

/** The form of the last line of a program that was given arguments; the sandbox reads the same (`ruby-prelude/arguments.rb`). */
const LINE = /^# arguments: (\{.*)$/

/** The comment that gives a program its arguments, as its last line. JSON has no line breaks, so it can never be more than a comment. */
export function argumentsLine({ argv, data }: Arguments): string {
  return `# arguments: ${JSON.stringify({ argv, ...(data !== undefined && { data }) })}`
}

/** What is wrong with the arguments in a program's last line, or null. */
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
