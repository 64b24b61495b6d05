import type { Scope, Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'
import type { ProgramPlanRow } from './program-plans.ts'

type PlanKey = Pick<ProgramPlanRow, 'account_id' | 'id'>

/** Records that a client waits for the decision on a plan. Returns false if the plan is already closed. */
export async function awaitPlan(database: Scope<Tables>, { account_id, id }: PlanKey): Promise<boolean> {
  return database.transaction(async ({ db }) => {
    const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
    const { numUpdatedRows } = await plan.where('state', '=', 'open').set({ awaited: 1 }).executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

/** Stores the encrypted response to applying a plan, if a client waits for it, in the transaction of the plan's changes. */
export async function keepAnswer(
  { db }: Pick<Transaction<Tables>, 'db'>,
  { account_id, id }: PlanKey,
  answer: Pick<ProgramPlanRow, 'answer' | 'answer_rights'>,
): Promise<void> {
  const plan = db.updateTable('program_plans').where('account_id', '=', account_id).where('id', '=', id)
  await plan.where('awaited', '=', 1).set(answer).execute()
}

const MOST_REPLACED = 100

/** Returns the newest version of a plan: the last of the plans that have replaced it, or the plan itself. */
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

/** Returns the path of a dashboard page of an account; `page` is `plans/plan_…`, for example. */
export async function dashboardAddress(
  { read }: Pick<Scope<Tables>, 'read'>,
  account: string,
  page: string,
): Promise<string> {
  const accounts = read.selectFrom('accounts').select('subdomain').where('account_id', '=', account)
  const { subdomain } = await accounts.where('id', '=', account).executeTakeFirstOrThrow()
  return `/dashboard/${subdomain}/${page}`
}
