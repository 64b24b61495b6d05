import { invalid } from '../../../contract/declarations/errors.ts'
import { cut } from '../../../contract/values/values.ts'
import { MAX_NAME, MAX_PART } from './customer.ts'

interface NameFields {
  name?: string | null
  first_name?: string | null
  last_name?: string | null
}

interface NameParts {
  first_name: string | null
  last_name: string | null
}

/**
 * Derives `name` from its parts or the parts from `name`, which is split at its first space. If a change has one part, `present`, the
 * stored customer, has the other. Throws a 422 if they contradict each other.
 */
export function fillNames<Input extends NameFields>(given: Input, present: NameFields = {}): Input {
  const { name, first_name, last_name } = given
  const parts = { first_name: first_name ?? null, last_name: last_name ?? null }
  const givesPart = parts.first_name !== null || parts.last_name !== null
  if (name === null && !givesPart) return { ...given, ...parts }
  if (typeof name === 'string') return { ...given, ...fitting(name, parts) }
  if (first_name === undefined && last_name === undefined) return given
  return { ...given, name: joined({ ...present, ...given }) }
}

/** Splits a name into parts that match the given ones. Extra spaces between words are ignored. */
function fitting(name: string, given: NameParts): NameParts {
  const text = spaced(name)
  const { first_name: first, last_name: last } = given
  const own = split(text)
  if ((first ?? own.first_name) === own.first_name && (last ?? own.last_name) === own.last_name) return own
  if (first !== null && last !== null) {
    if (text === joined(given)) return given
    throw invalid({ name: [`does not match first_name and last_name, which make it ${JSON.stringify(joined(given))}`] })
  }
  const words = ` ${text} `
  if (first !== null && words.startsWith(` ${spaced(first)} `))
    return { ...given, last_name: part(text.slice(spaced(first).length)) }
  if (last !== null && words.endsWith(` ${spaced(last)} `))
    return { ...given, first_name: part(text.slice(0, -spaced(last).length)) }
  throw invalid({
    name: [
      first !== null
        ? `must begin with first_name, ${JSON.stringify(first)}`
        : `must end with last_name, ${JSON.stringify(last)}`,
    ],
  })
}

function split(text: string): NameParts {
  const [first = ''] = text.split(' ', 1)
  return { first_name: part(first), last_name: part(text.slice(first.length)) }
}

function part(text: string): string | null {
  return cut(text.trim(), MAX_PART) || null
}

function joined({ first_name, last_name }: NameFields): string | null {
  return cut(spaced(`${first_name ?? ''} ${last_name ?? ''}`), MAX_NAME) || null
}

function spaced(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ')
}
