import type { Noun } from '../contract/noun.ts'
import { MAX_SLUG } from '../contract/slug.ts'
import type { Context } from './context.ts'
import { findRow } from './records.ts'
import { transliterate } from './transliterate.ts'
import { requireUnique } from './unique.ts'

/** Room for `-` and a number behind a slug made from a name. */
export const MAX_SLUG_BASE = MAX_SLUG - 10

/** A given slug must be free; `except` is the row that may have it already. Throws a 422. */
export function requireFreeSlug(context: Context, noun: Noun, slug: string, except?: string): Promise<void> {
  return requireUnique(context, noun, ['slug', slug], 'slug', { except })
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
