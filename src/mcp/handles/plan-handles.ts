import type { Caller } from '../../contract/declarations/caller.ts'
import { timestampOf } from '../../contract/values/values.ts'
import type { Database } from '../../database/database.ts'
import { currentPlan, planPath } from '../../pipeline/awaited-plans.ts'
import { openAnswer } from '../../pipeline/kept-answers.ts'
import { findPlan, PLANS_KEPT_MS, type ProgramPlanRow } from '../../pipeline/program-plans.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json } from '../../sandbox/door.ts'
import { changeInWords } from '../../words/names.ts'
import { notRunAnswer } from '../answer.ts'
import { closedError, isMaker, withdrawPlan } from '../program/plans.ts'
import type { Handle } from './handle.ts'

type Body = { [key: string]: Json }

export interface HandleParts {
  database: Database<Tables>
  /** Encrypts kept answers. */
  vault: Vault
  /** Where the service is reached, without a slash at its end. */
  publicUrl: string
}

/** The handle of a plan, for the token that made it; null for everybody else, and where there is none. */
export async function planHandle(parts: HandleParts, caller: Caller, id: string): Promise<Handle | null> {
  const plan = await findPlan(parts.database, caller, id)
  if (!plan || !isMaker(caller, plan)) return null
  const current = await currentPlan(parts.database, plan)
  const now = timestampOf(new Date())
  const isExpired = current.state === 'open' && current.expires_at <= now
  const times = {
    id,
    createdAt: plan.created_at,
    changedAt: current.decided_at ?? (isExpired ? current.expires_at : current.created_at),
    forgottenAt: timestampOf(new Date(Date.parse(current.expires_at) + PLANS_KEPT_MS)),
  }
  if (current.state === 'withdrawn') return { ...times, status: 'cancelled', message: 'The plan was withdrawn.' }
  if (current.state === 'applied') return { ...times, status: 'completed', ...applied(parts.vault, current) }
  const closed = closedError(current, now)
  if (closed) return { ...times, status: 'completed', message: closed.message, answer: notRunAnswer(closed) }
  return { ...times, status: 'working', message: await waitingFor(parts, current) }
}

/** Takes back the plan that a handle is of, or the one that took its place. False where the caller has no such handle. */
export async function cancelPlanHandle(parts: HandleParts, caller: Caller, id: string): Promise<boolean> {
  const plan = await findPlan(parts.database, caller, id)
  if (!plan || !isMaker(caller, plan)) return false
  const current = await currentPlan(parts.database, plan)
  await withdrawPlan(parts, caller, current.id)
  return true
}

function applied(vault: Vault, plan: ProgramPlanRow): Pick<Handle, 'message' | 'answer'> {
  const { answer, note, decided_at } = plan
  const closed = answer === null ? closedError(plan, '') : null
  const kept = answer === null ? {} : openAnswer<Body>(vault, answer)
  const body = { plan: plan.id, ...(note !== null && { note }), ...kept }
  return {
    message: `The plan was applied at ${decided_at}.`,
    answer: closed ? notRunAnswer(closed) : { body, isError: false },
  }
}

/** What a person who sees it reads: what would change, and where to decide. */
async function waitingFor({ database, publicUrl }: HandleParts, plan: ProgramPlanRow): Promise<string> {
  const shown: Record<string, { count?: number }> = JSON.parse(plan.shown)
  const counts = Object.entries(shown).flatMap(([type, { count = 0 }]) =>
    count > 0 ? [changeInWords(type, count)] : [],
  )
  const address = `${publicUrl}${await planPath(database, plan)}`
  return `Waiting for a person to apply or reject it: ${counts.join(', ')}. ${address}`
}
