import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export type Kind = 'deleted' | 'updated' | 'created' | null

export interface ComparedField {
  name: string
  /** Whether it is an amount, in minor units of the change's currency. */
  money: boolean
  /** Whether the field is derived from others, so that the program did not set it. */
  follows: boolean
  from: unknown
  to: unknown
}

/** The change of one resource. */
export interface ComparedChange {
  /** The id of the resource, or `#product 1` for one that the program creates. */
  id: string
  label: string | null
  /** The resources that it belongs to, such as the product of a price. */
  part_of: { object: string; id: string }[]
  currency: string | null
  fields: ComparedField[]
}

/** How the amounts of one field move over all changes of a group, including those not shown. */
export interface MovedAmounts {
  field: string
  currency: string
  raised: number
  lowered: number
  /** The smallest and largest move of one amount, in minor units. */
  least: number
  most: number
  /** The same in percent of the old amount; null when an old amount is 0. */
  least_percent: number | null
  most_percent: number | null
}

/** The changes of one kind to one type of resource. */
export interface ChangeGroup {
  object: string
  /** Null for events that are not changes of the resource, such as `order.paid`. */
  kind: Kind
  event: string
  count: number
  moved: MovedAmounts[]
  /** The changes that are shown, which are the first of the group. */
  changes: ComparedChange[]
}

export const PlanComparison = answerNoun('plan_comparison', {
  group: 'ProgramPlans',
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
