import { SettingError } from '../config.ts'

/** The options of a command by their names without dashes; an option that was not given is undefined. */
export interface Arguments<Name extends string> {
  words: string[]
  options: Partial<Record<Name, string>>
}

/**
 * Reads words and options such as `--account my-shop`. `takes` says what each option's value is. Throws SettingError, with
 * the usage for an unknown option.
 */
export function readOptions<Name extends string>(
  args: string[],
  takes: Record<Name, string>,
  usage: string,
): Arguments<Name> {
  const words: string[] = []
  const options: Partial<Record<Name, string>> = {}
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    const name = (Object.keys(takes) as Name[]).find((one) => word === `--${one}`)
    if (name === undefined && word.startsWith('-')) throw new SettingError(`There is no option ${word}.\n\n${usage}`)
    if (name === undefined) words.push(word)
    else options[name] = valueAfter(args, at++, takes[name])
  }
  return { words, options }
}

function valueAfter(args: string[], at: number, takes: string): string {
  const value = args[at + 1]
  if (value === undefined || value.startsWith('--')) throw new SettingError(`${args[at]} needs a value: ${takes}.`)
  return value
}
