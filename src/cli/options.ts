import { keysOf } from '../contract/values/keys.ts'
import { nearest } from '../contract/values/nearest.ts'
import { UsageError } from './exit-codes.ts'

/** Parsed arguments. Option names have no dashes; missing options are undefined. */
export interface Arguments<Name extends string, Flag extends string = never> {
  words: string[]
  options: Partial<Record<Name, string>>
  flags: Set<Flag>
}

/**
 * Parses arguments. `takes` describes the value of each option, `known` lists the flags, and everything after `--` is a word.
 * Throws UsageError.
 */
export function readOptions<Name extends string, Flag extends string = never>(
  args: string[],
  takes: Record<Name, string>,
  usage: string,
  known: readonly Flag[] = [],
): Arguments<Name, Flag> {
  const words: string[] = []
  const options: Partial<Record<Name, string>> = {}
  const flags = new Set<Flag>()
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word === '--') return { words: [...words, ...args.slice(at + 1)], options, flags }
    const [, given, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    const name = keysOf(takes).find((one) => one === given)
    const flag = known.find((one) => one === given && value === undefined)
    if (name !== undefined) options[name] = value ?? valueAfter(args, at++, takes[name])
    else if (flag !== undefined) flags.add(flag)
    else if (word.startsWith('-') && word !== '-') throw unknownOption(word, [...Object.keys(takes), ...known], usage)
    else words.push(word)
  }
  return { words, options, flags }
}

function valueAfter(args: string[], at: number, takes: string): string {
  const value = args[at + 1]
  if (value === undefined || value.startsWith('--')) throw new UsageError(`${args[at]} needs a value: ${takes}.`)
  return value
}

/** Returns the action that the first argument names, and the remaining arguments. Throws UsageError if there is no such action. */
export function actionOf<Action>([verb = '', ...args]: string[], actions: Record<string, Action>, usage: string) {
  const run = Object.hasOwn(actions, verb) ? actions[verb] : undefined
  if (run) return { run, verb, args }
  const unknown = `There is no action ${verb}.${didYouMean(verb, Object.keys(actions))}`
  throw verb === '' ? new UsageError(usage) : new UsageError(unknown, usage)
}

export function refuseWords(words: string[], usage: string): void {
  if (words.length > 0) throw new UsageError(`Unexpected argument: “${words.join(' ')}”.`, usage)
}

function unknownOption(word: string, known: string[], usage: string): UsageError {
  const [name] = word.split('=') as [string]
  const names = known.map((one) => `--${one}`)
  return new UsageError(`There is no option ${name}.${didYouMean(name, names)}`, usage)
}

export function didYouMean(given: string, names: string[]): string {
  const meant = nearest(given, names)
  return meant === null ? '' : ` Did you mean ${meant}?`
}
