import type { Scope, Unit } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { ProgramPlanRow } from './program-plans.ts'

type PlanKey = Pick<ProgramPlanRow, 'account_id' | 'id'>

/** Notes that a client waits for the decision on a plan. False where the plan is closed. */
export async function awaitPlan(database: Scope<Tables>, { account_id, id }: PlanKey): Promise<boolean> {
  return database.transaction(async ({ db }) => {
    const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
    const { numUpdatedRows } = await plan.where('state', '=', 'open').set({ awaited: 1 }).executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Keeps what applying a plan answers where a client waits for it, in the transaction of its effects. The answer is sealed. */
export async function keepAnswer(
  { db }: Pick<Unit<Tables>, 'db'>,
  { account_id, id }: PlanKey,
  answer: Pick<ProgramPlanRow, 'answer' | 'answer_rights'>,
): Promise<void> {
  const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
  await plan.where('awaited', '=', 1).set(answer).execute()
}

/** How often a plan that was made again is followed to the one that took its place. */
const MOST_REPLACED = 100

/** The plan that stands for one now: itself, or the last that was made again from it. */
export async function currentPlan(
  { read }: Pick<Scope<Tables>, 'read'>,
  plan: ProgramPlanRow,
): Promise<ProgramPlanRow> {
  let current = plan
  for (let followed = 0; current.replaced_by !== null && followed < MOST_REPLACED; followed++) {
    const plans = read.selectFrom('program_plans').selectAll().where('account_id', '=', plan.account_id)
    const next = await plans.where('id', '=', current.replaced_by).executeTakeFirst()
    if (!next) break
    current = next
  }
  return current
}

/** The path of a page of an account's dashboard, such as that where a person decides on a plan: `plans/plan_…`. */
export async function dashboardAddress(
  { read }: Pick<Scope<Tables>, 'read'>,
  account: string,
  page: string,
): Promise<string> {
  const accounts = read.selectFrom('accounts').select('subdomain').where('account_id', '=', account)
  const { subdomain } = await accounts.where('id', '=', account).executeTakeFirstOrThrow()
  return `/dashboard/${subdomain}/${page}`
}
