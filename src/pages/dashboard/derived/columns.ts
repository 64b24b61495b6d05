import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { kindOf } from '../kit/fields.ts'
import type { View } from '../kit/visit.ts'
import { nameField } from '../kit/words.ts'

/** Columns of a list beyond the name and the time. */
const MOST_COLUMNS = 4
const WORTH_A_COLUMN = new Set(['choice', 'money', 'reference', 'flag', 'number', 'email', 'moment'])
/** They say nothing that helps to find a row. */
const SKIPPED = new Set(['id', 'object', 'created_at', 'updated_at', 'currency', 'slug', 'position', 'allowed_actions'])

/** The fields that a list shows, in order; the first one leads to the thing. */
export function columnsOf(noun: Noun, view: View | undefined): readonly string[] {
  if (view?.columns) return view.columns
  const first = nameField(noun) ?? 'id'
  const known = Object.entries(noun.fields).filter(
    ([name, { spec }]) =>
      name !== first && !SKIPPED.has(name) && spec.use !== 'input' && WORTH_A_COLUMN.has(kindOf(spec)),
  )
  const kinds = known.map(([name, { spec }]) => ({ name, kind: kindOf(spec) }))
  const distinct = kinds.filter(
    ({ kind }, index) => kind !== 'money' || kinds.findIndex((one) => one.kind === kind) === index,
  )
  const byWorth = distinct.toSorted((one, other) => worth(one.name, one.kind) - worth(other.name, other.kind))
  const chosen = byWorth.slice(0, MOST_COLUMNS).map(({ name }) => name)
  return [first, ...chosen, ...(noun.fields.created_at ? ['created_at'] : [])]
}

function worth(name: string, kind: string): number {
  if (name === 'status') return 0
  return ['reference', 'money', 'choice', 'email', 'number', 'flag', 'moment'].indexOf(kind) + 1
}

/** What a list expands: the references among its columns that it can show by name, and what its view asks for. */
export function expandedBy({ noun, list }: Manageable, columns: readonly string[], view: View | undefined): string[] {
  const named = columns.filter((name) => {
    const relation = noun.fields[name]?.spec.relation
    return list?.expandable && relation?.expandable && relation.kind === 'one'
  })
  return [...new Set([...named, ...(view?.expand ?? [])])]
}
