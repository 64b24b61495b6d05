import type { Caller } from '../../contract/declarations/caller.ts'
import { laterBy, timestampOf } from '../../contract/values/values.ts'
import { changeInWords } from '../../format/names.ts'
import { currentPlan, dashboardAddress } from '../../pipeline/awaited-plans.ts'
import { coversKept, openAnswer } from '../../pipeline/kept-answers.ts'
import { findPlan, PLANS_KEPT_MS, type ProgramPlanRow } from '../../pipeline/program-plans.ts'
import type { BackgroundRow } from '../../records/background/row.ts'
import type { Vault } from '../../records/services.ts'
import type { Json } from '../../sandbox/api.ts'
import { notRunAnswer } from '../answer.ts'
import { closedError, isMaker, withdrawPlan } from '../program/plans.ts'
import { permissionError } from '../program/run-error.ts'
import { type BackgroundHandleParts, begun, cancelBackgroundHandle, progressing } from './background-handles.ts'
import type { Handle } from './handle.ts'

type ResponseBody = { [key: string]: Json }

export interface HandleParts extends BackgroundHandleParts {
  vault: Vault
}

/** Returns the handle of a plan, or null unless the caller made it. */
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
    forgottenAt: laterBy(current.expires_at, PLANS_KEPT_MS),
  }
  if (current.state === 'withdrawn') return { ...times, status: 'cancelled', message: 'The plan was withdrawn.' }
  if (current.state === 'applied') return { ...times, ...(await appliedState(parts, caller, current)) }
  const closed = closedError(current, now)
  if (closed) return { ...times, status: 'completed', message: closed.message, answer: notRunAnswer(closed) }
  return { ...times, status: 'working', message: await waitingMessage(parts, current) }
}

/** Withdraws the plan or its replacement, or stops the program that it started. Returns false if the caller has no such handle. */
export async function cancelPlanHandle(parts: HandleParts, caller: Caller, id: string): Promise<boolean> {
  const plan = await findPlan(parts.database, caller, id)
  if (!plan || !isMaker(caller, plan)) return false
  const current = await currentPlan(parts.database, plan)
  const closed = await withdrawPlan(parts, caller, current.id)
  if (closed) await cancelBackgroundHandle(parts, caller, { plan: current.id })
  return true
}

/** Returns the state of an applied plan. If the plan started a background program, the handle completes with the last batch. */
async function appliedState(
  parts: HandleParts,
  caller: Caller,
  plan: ProgramPlanRow,
): Promise<Pick<Handle, 'status' | 'message' | 'answer'> & Partial<Pick<Handle, 'changedAt' | 'forgottenAt'>>> {
  const isWithheld = plan.answer !== null && !coversKept(caller, plan.answer_rights)
  const program = await begun(parts.database, plan.account_id, { plan: plan.id })
  if (program) {
    const { answer, ...now } = await progressing(parts, caller, program)
    const forgottenAt = keptUntil(plan, program)
    return {
      ...now,
      forgottenAt,
      ...(answer && {
        answer: { ...answer, body: { ...(isWithheld ? {} : appliedBody(parts.vault, plan)), ...answer.body } },
      }),
    }
  }
  const closed = isWithheld ? permissionError(WITHHELD) : plan.answer === null ? closedError(plan, '') : null
  return {
    status: 'completed',
    message: `The plan was applied at ${plan.decided_at}.`,
    answer: closed ? notRunAnswer(closed) : { body: appliedBody(parts.vault, plan), isError: false },
  }
}

/** Returns when the handle is deleted: a day after the plan expired or, if that is later, after its background program ended. */
function keptUntil({ expires_at }: ProgramPlanRow, { finished_at }: BackgroundRow): string | null {
  if (finished_at === null) return null
  return laterBy(finished_at > expires_at ? finished_at : expires_at, PLANS_KEPT_MS)
}

const WITHHELD =
  'The plan was applied with rights that you do not have now, so its answer is not shown. Nothing is left to do.'

function appliedBody(vault: Vault, { id, answer, note }: ProgramPlanRow): ResponseBody {
  const kept = answer === null ? {} : openAnswer<ResponseBody>(vault, answer)
  return { plan: id, ...(note !== null && { note }), ...kept }
}

async function waitingMessage({ database, publicUrl }: HandleParts, plan: ProgramPlanRow): Promise<string> {
  const shown: Record<string, { count?: number }> = JSON.parse(plan.shown)
  const counts = Object.entries(shown).flatMap(([type, { count = 0 }]) =>
    count > 0 ? [changeInWords(type, count)] : [],
  )
  const address = `${publicUrl}${await dashboardAddress(database, plan.account_id, `plans/${plan.id}`)}`
  return `Waiting for a person to apply or reject it: ${counts.join(', ')}. ${address}`
}
