import { integer } from '../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { PlannedChange } from '../../../contract/declarations/planned-change.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { currentAccount } from '../../company/account/current.ts'
import { ProgramPlan } from '../program-plan/program-plan.ts'
import { requireSeen } from '../program-plan/show.ts'
import { groupsOf } from './compare.ts'
import { namesIn } from './names.ts'
import { PlanComparison } from './plan-comparison.ts'

/** The default number of changes shown per group, and the most that a request can ask for. */
const SHOWN = 10
const MOST_SHOWN = 1_000

export const planComparisons = resource(PlanComparison, {
  dashboard: [
    custom({
      id: 'compare_program_plan',
      method: 'GET',
      path: '/plans/{id}/comparison',
      summary: 'Show what a plan would change',
      answers: PlanComparison,
      query: { each: integer('Changes to show of each type', { min: 1, max: MOST_SHOWN, example: SHOWN }) },
      rule: (context, { path, query }) => comparison(context, path.id, query.each ?? SHOWN),
    }),
  ],
})

async function comparison(context: Context, id: string, each: number): Promise<AnswerOf<typeof PlanComparison>> {
  const plan = await requireRow(context, ProgramPlan, id)
  requireSeen(context, plan)
  const planned = JSON.parse(plan.changes) as PlannedChange[]
  const { default_currency: currency } = await currentAccount(context)
  const groups = groupsOf(planned, { findNoun: context.findNoun, currency }, each)
  return { plan: plan.id, groups, names: await namesIn(context, planned, groups) }
}
