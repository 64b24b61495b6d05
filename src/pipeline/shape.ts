import type { Noun } from '../contract/declarations/noun.ts'

type FieldValues = Record<string, unknown>

/**
 * Makes the shown form of a noun from a row and its derived values; a derived value replaces a stored one. Every shown field is present, in
 * its order, and null if it has no value; a collection is undefined until it is loaded, so the JSON omits it if it never is.
 */
export type Shape = (row: FieldValues, derived: FieldValues) => FieldValues

/** The allowed actions of a state that the noun does not declare. */
const NO_ACTIONS: readonly string[] = []

/**
 * Returns the function that shapes a noun's rows. It is generated so that its results share one hidden class, like the database's rows
 * (`rowReader`): this halves the time to show a list of 20 rows and write it as JSON.
 */
export function shapeOf(noun: Noun): Shape {
  const shown = Object.entries(noun.fields).filter(([, { spec }]) => spec.use !== 'input')
  const entries = shown.map(([name, { spec }]) => {
    const source = spec.relation?.kind === 'collection' ? 'undefined' : expressionOf(noun, name)
    return `${JSON.stringify(name)}: ${source}`
  })
  const make = new Function('states', 'NO_ACTIONS', `return (row, derived) => ({ ${entries.join(', ')} })`)
  return make(noun.states ?? {}, NO_ACTIONS) as Shape
}

/** Returns the JavaScript expression for one field's value. */
function expressionOf(noun: Noun, name: string): string {
  if (name === 'object') return JSON.stringify(noun.name)
  if (name === 'allowed_actions') return `derived.allowed_actions ?? states[${either('status')}] ?? NO_ACTIONS`
  return either(name)
}

function either(name: string): string {
  const property = JSON.stringify(name)
  return `(derived[${property}] === undefined ? row[${property}] ?? null : derived[${property}])`
}
