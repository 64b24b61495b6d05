import { invalidParameter } from '../contract/declarations/errors.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../contract/declarations/operation.ts'
import { expandableNames } from '../contract/documents/describe.ts'
import type { FindNoun } from '../contract/documents/schemas.ts'
import { type Given, listed } from '../contract/requests/given.ts'
import { didYouMean } from '../contract/values/nearest.ts'

/** The expanded fields of a response, for example `{ line_items: { product: {} } }` for `line_items.product`. */
export interface Expansion {
  [field: string]: Expansion
}

export const NOTHING: Expansion = Object.freeze({})

const MAX_EXPAND_DEPTH = 3

/** The maximum number of names in `expand`. No response has more expandable fields. */
const MAX_NAMES = 50

type ExpandableOperation = Pick<OperationDeclaration, 'method' | 'path' | 'noun' | 'expandable'>

/** Parses `expand`: names separated by commas, repeated, as `expand[]`, or as a list. Throws `parameter_invalid` for an invalid name. */
export function parseExpand(given: Given | undefined, operation: ExpandableOperation, findNoun: FindNoun): Expansion {
  const names = given ? requested(given) : []
  if (names.length === 0) return NOTHING
  if (!operation.expandable) {
    throw invalidParameter('expand', `cannot be used: ${operation.method} ${operation.path} returns nothing to expand`)
  }
  const tree: Expansion = {}
  for (const name of names) {
    const steps = name.split('.')
    if (steps.length > MAX_EXPAND_DEPTH)
      throw invalidParameter(
        'expand',
        `is ${steps.length} levels deep in ${quoted(name)}; at most ${MAX_EXPAND_DEPTH} are allowed`,
      )
    let owner = operation.noun
    let branch = tree
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!
      const inside = Object.hasOwn(owner.fields, step) ? owner.fields[step]!.spec.inside : undefined
      if (inside) branch = branch[step] ??= {}
      const key = inside ? (steps[++at] ?? '') : step
      owner =
        (inside && heldBy(inside, key, findNoun)) ?? related(owner, inside ? `${step}.${key}` : step, name, findNoun)
      branch = branch[key] ??= {}
    }
  }
  return tree
}

function requested(given: Given): string[] {
  const values = listed(given)
  if (values === null || values.some((value) => typeof value === 'object' && value !== null))
    throw invalidParameter('expand', 'takes names, such as expand=product or expand[]=product&expand[]=experiences')
  if (values.length > MAX_NAMES)
    throw invalidParameter('expand', `takes at most ${MAX_NAMES} names, not ${values.length}`)
  return values
    .filter((value) => value !== null)
    .flatMap((value) => String(value).split(',', MAX_NAMES + 1))
    .map((name) => name.trim())
    .filter(Boolean)
}

function quoted(name: string): string {
  return `"${name.slice(0, 100)}"`
}

function heldBy(inside: Readonly<Record<string, string>>, key: string, findNoun: FindNoun): Noun | undefined {
  return Object.hasOwn(inside, key) ? findNoun(inside[key]!) : undefined
}

function related(owner: Noun, step: string, name: string, findNoun: FindNoun): Noun {
  const relation = Object.hasOwn(owner.fields, step) ? owner.fields[step]!.spec.relation : undefined
  const target =
    relation && (relation.expandable || relation.kind === 'collection') ? findNoun(relation.noun) : undefined
  if (target) return target
  const possible = expandableNames(owner, findNoun)
  const choice =
    possible.length > 0 ? `; ${owner.name} can expand ${possible.join(', ')}` : `; ${owner.name} has nothing to expand`
  throw invalidParameter('expand', `cannot expand ${quoted(name)}${didYouMean(step, possible)}${choice}`)
}
