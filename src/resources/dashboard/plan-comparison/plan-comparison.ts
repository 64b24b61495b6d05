import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export type Kind = 'deleted' | 'updated' | 'created' | null

export interface ComparedField {
  name: string
  /** Whether the values are amounts in minor units of the change's currency. */
  money: boolean
  /** Whether the field is derived from other fields instead of set by the program. */
  follows: boolean
  from: unknown
  to: unknown
}

export interface ComparedChange {
  /** An id, or a label such as `#product 1` for a resource that the program creates. */
  id: string
  label: string | null
  /** The parent resources, such as the product of a price. */
  part_of: { object: string; id: string }[]
  currency: string | null
  fields: ComparedField[]
}

/** Statistics about an amount field over all changes of a group, including those not shown. */
export interface MovedAmounts {
  field: string
  currency: string
  raised: number
  lowered: number
  /** The smallest and the largest change of an amount, ignoring its sign, in minor units. */
  least: number
  most: number
  /** The smallest and the largest change in percent of the old amount; null when an old amount is 0. */
  least_percent: number | null
  most_percent: number | null
}

export interface ChangeGroup {
  object: string
  /** Null for events that change no field, such as `order.paid`. */
  kind: Kind
  event: string
  count: number
  moved: MovedAmounts[]
  /** The first changes of the group; `count` counts all of them. */
  changes: ComparedChange[]
}

export const PlanComparison = answerNoun('plan_comparison', {
  group: 'ProgramPlans',
  area: 'programs',
  description: 'What a plan would change, by type of resource: deletions first.',
  fields: {
    plan: text('Id of the plan', { example: exampleId('plan') }),
    groups: structure<ChangeGroup[]>('array', z.custom<ChangeGroup[]>(), 'The changes by type and kind', []),
    names: structure<Record<string, string>>(
      'object',
      z.custom<Record<string, string>>(),
      'Names of the resources in the changes, by id',
      { [exampleId('prod')]: 'Tea' },
    ),
  },
})
