interface Names {
  name?: string | null
  first_name?: string | null
  last_name?: string | null
}

/**
 * `name` and first/last name fill each other (contract 4.1): a name alone is split at its first blank; first and last
 * alone make the name. `present` is the customer as it is, for a change that gives only one of first and last.
 */
export function fillNames<Input extends Names>(given: Input, present: Names = {}): Input {
  const { name, first_name, last_name } = given
  const givesParts = first_name !== undefined || last_name !== undefined
  if (name !== undefined && !givesParts) {
    const [first, ...rest] = (name ?? '').split(/\s+/).filter(Boolean)
    return { ...given, first_name: first ?? null, last_name: rest.length > 0 ? rest.join(' ') : null }
  }
  if (name === undefined && givesParts) {
    const parts = [
      first_name === undefined ? present.first_name : first_name,
      last_name === undefined ? present.last_name : last_name,
    ]
    return { ...given, name: parts.filter(Boolean).join(' ') || null }
  }
  return given
}
