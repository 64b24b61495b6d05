import { expandableNames } from '../contract/describe.ts'
import { invalidParameter } from '../contract/errors.ts'
import { didYouMean } from '../contract/nearest.ts'
import type { Noun } from '../contract/noun.ts'
import type { FindNoun } from '../contract/schemas.ts'

/** What an answer shows in full: `line_items.product` is { line_items: { product: {} } }. */
export interface Expansion {
  [field: string]: Expansion
}

/** The expansion that shows nothing in full. */
export const NOTHING: Expansion = Object.freeze({})

/** Names may be nested with dots, three deep (contract 1.5). */
export const MAX_EXPAND_DEPTH = 3

/** Reads `expand` (repeated, comma-separated, or as `expand[]`). Throws `parameter_invalid` for a name that has nothing to show. */
export function parseExpand(query: Record<string, unknown>, noun: Noun, findNoun: FindNoun): Expansion {
  if (query.expand === undefined && query['expand[]'] === undefined) return NOTHING
  const tree: Expansion = {}
  for (const name of requested(query)) {
    const steps = name.split('.')
    if (steps.length > MAX_EXPAND_DEPTH)
      throw invalidParameter('expand', `goes ${steps.length} deep with "${name}"; ${MAX_EXPAND_DEPTH} is the most`)
    let owner = noun
    let branch = tree
    for (const step of steps) {
      owner = related(owner, step, name, findNoun)
      branch = branch[step] ??= {}
    }
  }
  return tree
}

function requested(query: Record<string, unknown>): string[] {
  const given = [query.expand, query['expand[]']].flat().filter((value) => value !== undefined && value !== null)
  return given
    .flatMap((value) => String(value).split(','))
    .map((name) => name.trim())
    .filter(Boolean)
}

function related(owner: Noun, step: string, name: string, findNoun: FindNoun): Noun {
  const relation = Object.hasOwn(owner.fields, step) ? owner.fields[step]!.spec.relation : undefined
  const target =
    relation && (relation.expandable || relation.kind === 'collection') ? findNoun(relation.noun) : undefined
  if (target) return target
  const possible = expandableNames(owner, findNoun)
  const choice =
    possible.length > 0 ? `; ${owner.name} can expand ${possible.join(', ')}` : `; ${owner.name} has nothing to expand`
  throw invalidParameter('expand', `cannot show "${name.slice(0, 100)}"${didYouMean(step, possible)}${choice}`)
}
