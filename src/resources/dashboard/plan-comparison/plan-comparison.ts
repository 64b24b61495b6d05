import type { PlannedChange } from '../../../contract/declarations/planned-change.ts'
import { dashboardRead } from '../../../records/dashboard-read.ts'
import { requireRow } from '../../../records/records.ts'
import { currentAccount } from '../../company/account/current.ts'
import { ProgramPlan } from '../program-plan/program-plan.ts'
import { requireSeen } from '../program-plan/show.ts'
import { groupsOf } from './compare.ts'
import { namesIn } from './names.ts'

/** Shows a plan's changes, grouped by event with at most `each` per group, and the names of the resources in them by id. */
export const planComparison = dashboardRead('programs.read', async (context, id: string, each: number) => {
  const plan = await requireRow(context, ProgramPlan, id)
  requireSeen(context, plan)
  const planned = JSON.parse(plan.changes) as PlannedChange[]
  const { default_currency: currency } = await currentAccount(context)
  const groups = groupsOf(planned, { findNoun: context.findNoun, currency }, each)
  return { groups, names: await namesIn(context, planned, groups) }
})
