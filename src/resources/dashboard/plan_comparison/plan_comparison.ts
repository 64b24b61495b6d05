import { z } from 'zod'
import { structure, text } from '../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/declarations/noun.ts'

export type Kind = 'deleted' | 'updated' | 'created' | null

export interface ComparedField {
  name: string
  /** An amount in minor units of the change's currency. */
  money: boolean
  /** It is computed from others, so the program did not set it. */
  follows: boolean
  from: unknown
  to: unknown
}

/** What happens to one resource. */
export interface ComparedChange {
  /** Its id, or `#product 1` for one that the program makes. */
  id: string
  label: string | null
  /** The resources that it is part of, such as the product of a price. */
  part_of: { object: string; id: string }[]
  currency: string | null
  fields: ComparedField[]
}

/** How the amounts of one field move over all changes of a group, whether they are shown or not. */
export interface MovedAmounts {
  field: string
  currency: string
  raised: number
  lowered: number
  /** The least and the most that one amount moves by, in minor units. */
  least: number
  most: number
  /** The same in percent of the old amount; null where one of these is 0. */
  least_percent: number | null
  most_percent: number | null
}

/** The changes of one kind to one type of resource. */
export interface ChangeGroup {
  object: string
  /** Null for events that tell of something else, such as `order.paid`. */
  kind: Kind
  event: string
  count: number
  moved: MovedAmounts[]
  /** The first of them. */
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
