import { cut } from '../../../contract/values.ts'
import { MAX_NAME, MAX_PART } from './customer.ts'

interface Names {
  name?: string | null
  first_name?: string | null
  last_name?: string | null
}

/**
 * `name` and first/last name fill each other (contract 4.1): a name alone is split at its first blank; first and last
 * alone make the name. What is filled in is cut at its length. `present` is the customer as it is, for a change that gives only one of first and last.
 */
export function fillNames<Input extends Names>(given: Input, present: Names = {}): Input {
  const { name, first_name, last_name } = given
  const givesParts = first_name !== undefined || last_name !== undefined
  if (name !== undefined && !givesParts) {
    const [first, ...rest] = (name ?? '').split(/\s+/).filter(Boolean)
    return {
      ...given,
      first_name: cut(first ?? '', MAX_PART) || null,
      last_name: cut(rest.join(' '), MAX_PART) || null,
    }
  }
  if (name === undefined && givesParts) {
    const parts = [
      first_name === undefined ? present.first_name : first_name,
      last_name === undefined ? present.last_name : last_name,
    ]
    return { ...given, name: cut(parts.filter(Boolean).join(' '), MAX_NAME) || null }
  }
  return given
}
