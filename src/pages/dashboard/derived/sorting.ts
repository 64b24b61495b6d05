import type { Sort } from '../../parts/markup.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { choicesOf, kindOf } from '../kit/fields.ts'
import { type View, type Visit, withQuery } from '../kit/visit.ts'

/** Lists begin with the newest, unless they have an order of their own. */
const USUAL = '-created_at'

/** What a list can be sorted by: fields, with a minus for the highest first. */
export function sortsOf({ list }: Manageable): string[] {
  const sort = list?.query.sort
  return sort ? choicesOf(sort.spec) : []
}

/** How a list is sorted now; an order that it does not have is none. */
export function sortOf(visit: Visit, things: Manageable): string | undefined {
  const given = visit.query.get('sort')
  return given !== null && sortsOf(things).includes(given) ? given : undefined
}

/** The field by which a column sorts the list, where it does. */
function fieldOf(things: Manageable, column: string, view: View | undefined): string | undefined {
  const field = view?.cells?.[column]?.sort ?? column
  return sortsOf(things).includes(field) ? field : undefined
}

/** The link in the head of a column: the other way round, where the list is sorted by it already. */
export function sortBy(visit: Visit, things: Manageable, view: View | undefined) {
  const now = sortOf(visit, things) ?? USUAL
  return (column: string): Sort | undefined => {
    const field = fieldOf(things, column, view)
    if (field === undefined) return undefined
    const [up, down] = [field, `-${field}`]
    const isHighFirst =
      kindOf(things.noun.fields[field]!.spec) !== 'text' && kindOf(things.noun.fields[field]!.spec) !== 'email'
    const other = now === up ? down : now === down ? up : isHighFirst ? down : up
    const { starting_after: _, done: __, ...kept } = Object.fromEntries(visit.query)
    return {
      address: withQuery(visit.path, { ...kept, sort: other }),
      now: now === up ? 'ascending' : now === down ? 'descending' : null,
    }
  }
}

/** Whether the heads of columns sort by everything that the list can be sorted by. */
export function headsSort(things: Manageable, columns: readonly string[], view: View | undefined): boolean {
  const fields = new Set(columns.map((column) => fieldOf(things, column, view)))
  return sortsOf(things).every((sort) => fields.has(sort.replace(/^-/, '')))
}
