import { invalid } from '../contract/errors.ts'
import { text } from '../contract/kinds.ts'
import type { Noun } from '../contract/noun.ts'
import type { Context } from './context.ts'
import { findRow, MAX_SLUG, SLUG } from './records.ts'
import { transliterate } from './transliterate.ts'

/** Room for `-` and a number behind a slug made from a name. */
export const MAX_SLUG_BASE = MAX_SLUG - 10

export function slugField(description: string) {
  const says = 'must be lower-case letters and digits in groups joined by single hyphens, such as ruby-handbook'
  return text(description, { max: MAX_SLUG, pattern: SLUG, says, example: 'ruby-handbook' })
}

/** A given slug must be free; `except` is the row that may have it already. Throws a 422. */
export async function requireFreeSlug(context: Context, noun: Noun, slug: string, except?: string): Promise<void> {
  const owner = await slugOwner(context, noun, slug)
  if (owner !== null && owner !== except) throw invalid({ slug: ['has already been taken'] })
}

/** A free slug made from a name: the name in kebab case, then with `-1`, `-2`, … */
export async function freeSlug(context: Context, noun: Noun, name: string): Promise<string> {
  const base = kebabCase(name) || noun.name.replaceAll('_', '-')
  const isFree = async (number: number) =>
    (await slugOwner(context, noun, number === 0 ? base : `${base}-${number}`)) === null
  if (await isFree(0)) return base
  let taken = 0
  let free = 1
  while (!(await isFree(free))) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isFree(middle)) free = middle
    else taken = middle
  }
  return `${base}-${free}`
}

/** A name as a slug, in ASCII whatever its script; empty when it has neither letters nor digits. */
export function kebabCase(name: string): string {
  const plain = transliterate(name.replace(/['’]/g, '')).toLowerCase()
  const words = plain.replaceAll("'", '').match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, MAX_SLUG_BASE).replace(/-$/, '')
}

async function slugOwner(context: Context, noun: Noun, slug: string): Promise<string | null> {
  return (await findRow(context, noun, slug))?.id ?? null
}
