import type { NewRow, Noun, Row } from '../contract/declarations/noun.ts'
import { MAX_SLUG } from '../contract/declarations/slug.ts'
import type { Context } from './context.ts'
import { findRow, insertRow, insertUnlessTaken } from './records.ts'
import { transliterate } from './transliterate.ts'
import { insertUnique, requireUnique } from './unique.ts'

/** The maximum length of a slug made from a name, which leaves room for `-` and a number. */
export const MAX_SLUG_BASE = MAX_SLUG - 10

export function requireFreeSlug(context: Context, noun: Noun, slug: string, except: string): Promise<void> {
  return requireUnique(context, noun, ['slug', slug], 'slug', { except })
}

/** Makes a missing slug from the name, with `-1`, `-2`, … appended if it is taken. Throws a 422 if the given slug is taken. */
export async function insertWithSlug<N extends Noun>(
  context: Context,
  noun: N,
  { slug, ...values }: NewRow<N> & { slug?: string },
  name: string,
): Promise<Row<N>> {
  const named = (chosen: string) => ({ ...values, slug: chosen }) as unknown as NewRow<N>
  if (slug !== undefined) return insertUnique(context, noun, named(slug), 'slug', 'slug')
  const base = kebabCase(name) || noun.name.replaceAll('_', '-')
  return (
    (await insertUnlessTaken(context, noun, named(base), 'slug')) ??
    insertRow(context, noun, named(await freeSlug(context, noun, base)))
  )
}

/** Returns the first of `base-1`, `base-2`, … that no row has, or a later free one if numbers were skipped. */
async function freeSlug(context: Context, noun: Noun, base: string): Promise<string> {
  const isFree = async (number: number) => (await slugOwner(context, noun, `${base}-${number}`)) === null
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

/** Converts a name in any script to an ASCII slug, which is empty if the name has neither letters nor digits. */
export function kebabCase(name: string): string {
  const plain = transliterate(name.replace(/['’]/g, '')).toLowerCase()
  const words = plain.replaceAll("'", '').match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, MAX_SLUG_BASE).replace(/-$/, '')
}

async function slugOwner(context: Context, noun: Noun, slug: string): Promise<string | null> {
  return (await findRow(context, noun, slug))?.id ?? null
}
