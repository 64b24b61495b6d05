import type { PlannedChange } from '../../../contract/planned-change.ts'
import { labelOf } from '../../../events/message.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { idOf } from './compare.ts'
import type { ChangeGroup, ComparedChange } from './plan_comparison.ts'

/** Resources that are looked up by their ids; a change may name thousands. */
const MOST_NAMED = 200

/** What the resources are known by that the shown changes name: those that there are, and those that the plan makes. */
export async function namesIn(
  context: Context,
  planned: PlannedChange[],
  groups: ChangeGroup[],
): Promise<Record<string, string>> {
  const made = planned.flatMap((change) => (change.label === null ? [] : [[idOf(change), change.label] as const]))
  const mentioned = groups.flatMap((group) => group.changes.flatMap((change) => mentions(context, group, change)))
  const names = new Map(made)
  const unknown = mentioned.filter(({ id }) => !names.has(id)).slice(0, MOST_NAMED)
  for (const [object, some] of Map.groupBy(unknown, (one) => one.object)) {
    const noun = context.findNoun(object)
    if (!noun || noun.prefix === null) continue
    const rows = await findRows(context, noun, some.map(({ id }) => id).filter(noun.isId))
    for (const [id, row] of rows) {
      const label = labelOf(row)
      if (label !== null) names.set(id, label)
    }
  }
  const shown = new Set(mentioned.map(({ id }) => id))
  return Object.fromEntries([...names].filter(([id]) => shown.has(id)))
}

interface Mention {
  object: string
  id: string
}

function mentions({ findNoun }: Context, { object }: ChangeGroup, { part_of, fields }: ComparedChange): Mention[] {
  const noun = findNoun(object)
  const inFields = fields.flatMap(({ name, from, to }) => {
    const target = noun?.fields[name]?.spec.relation?.noun
    const ids = [from, to].flat().filter((value) => typeof value === 'string')
    return target === undefined ? [] : ids.map((id) => ({ object: target, id }))
  })
  return [...part_of, ...inFields]
}
