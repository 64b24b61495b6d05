import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export type Kind = 'deleted' | 'updated' | 'created' | null

export interface ComparedField {
  name: string
  /** Whether the value is an amount, in minor units of the change's currency. */
  money: boolean
  /** Whether the field was derived from other fields and not set by the program. */
  follows: boolean
  from: unknown
  to: unknown
}

/** The change of one resource. */
export interface ComparedChange {
  /** The id of the resource, or a name such as `#product 1` for a resource that the program creates. */
  id: string
  label: string | null
  /** The resources to which the resource belongs, such as the product of a price. */
  part_of: { object: string; id: string }[]
  currency: string | null
  fields: ComparedField[]
}

/** Statistics about one amount field over all changes of a group, including changes that are not shown. */
export interface MovedAmounts {
  field: string
  currency: string
  raised: number
  lowered: number
  /** The smallest and the largest change of a single amount, regardless of its sign, in minor units. */
  least: number
  most: number
  /** The smallest and the largest change in percent of the old amount; null when an old amount is 0. */
  least_percent: number | null
  most_percent: number | null
}

/** The changes of one kind to one type of resource. */
export interface ChangeGroup {
  object: string
  /** Null for events that do not change the resource, such as `order.paid`. */
  kind: Kind
  event: string
  count: number
  moved: MovedAmounts[]
  /** The changes that are shown: the first ones of the group. */
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
