import { type Caller, isUser, type UserCaller } from '../../contract/declarations/caller.ts'
import type { Database } from '../../database/database.ts'
import { findPlan } from '../../pipeline/program-plans.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Comparison } from '../dashboard/agents/comparison.ts'
import { askByName, shown } from '../dashboard/kit/ask.ts'
import { Catalogue } from '../dashboard/kit/catalogue.ts'
import { asking } from '../dashboard/kit/visits.ts'
import type { Page } from '../parts/markup.ts'
import { pageOf } from './page.ts'
import { type Answer, planView } from './plan-view.ts'
import { runView } from './run-view.ts'

export interface PlanFrameParts {
  pipeline: Pipeline
  database: Database<Tables>
  /** Without a slash at its end. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}

/** A call as the endpoint of agents tells of it. */
interface ShownCall {
  planId: string | null
  answer: string
}

/** How many changes of each type are shown: fewer, where the view would be longer than it may be. */
const SHOWN = [10, 3, 1]
/** Clients keep every result of a conversation. */
const MAX_VIEW_BYTES = 64 * 1024

/** Plans as clients show them in a frame, by the same parts as the dashboard shows them. */
export function planFrame(parts: PlanFrameParts) {
  const catalogue = new Catalogue(parts.pipeline)
  return {
    page: pageOf(parts.publicUrl),
    async show(caller: Caller, { planId, answer }: ShownCall): Promise<string | null> {
      try {
        const told: Answer = JSON.parse(answer)
        const plan =
          planId !== null && isUser(caller) ? await viewOfPlan(parts, catalogue, { caller, planId, told }) : null
        return plan ?? (await asText(runView(told)))
      } catch (error) {
        parts.log.error({ err: error }, 'What a tool call came to could not be shown')
        return null
      }
    },
  }
}

interface Asked {
  caller: UserCaller
  planId: string
  told: Answer
}

/** Null where the caller has no such plan. */
async function viewOfPlan(
  parts: PlanFrameParts,
  catalogue: Catalogue,
  { caller, planId, told: answer }: Asked,
): Promise<string | null> {
  const found = await findPlan(parts.database, caller, planId)
  if (!found) return null
  const ask = askByName(asking(parts, caller))
  const path = { id: found.id }
  const [account, plan] = [await shown(ask('GET /account')), await shown(ask('GET /plans/{id}', { path }))]
  const surroundings = { parts, catalogue, account, base: `${parts.publicUrl}/dashboard/${account.subdomain}` }
  const view = (comparison: Comparison | null) => asText(planView(surroundings, { plan, comparison, answer }))
  for (const each of SHOWN) {
    const text = await view(await shown(ask('GET /plans/{id}/comparison', { path, query: { each } })))
    if (Buffer.byteLength(text) <= MAX_VIEW_BYTES) return text
  }
  return view(null)
}

async function asText(page: Page): Promise<string> {
  return String(await page)
}
