import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, missingResource } from '../../../contract/declarations/errors.ts'
import { longText, oneOf } from '../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { outside } from '../../../records/custom.ts'
import { findRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { NOTE, ProgramPlan } from '../program-plan/program-plan.ts'
import { refuseClosed, requireSeen } from '../program-plan/show.ts'
import { ProgramAnswer } from './program-answer.ts'

interface ApplyCall {
  path: { id: string }
  input: { note?: string | null }
}

const OF_A_RUN =
  'A task run waits for this plan. Approve the run: it makes a new plan where this one cannot be applied.'
const NO_CHANGE = 'The program would change nothing now, so there is no new plan.'

const MODES = ['search', 'dry_run', 'execute'] as const

interface PlayCall {
  input: { code: string; mode: (typeof MODES)[number] }
}

/** The maximum length of a program in characters. The sandbox enforces a lower limit in bytes with its own message. */
const MAX_CODE = 200_000

export const programAnswers = resource(ProgramAnswer, {
  dashboard: [
    outside({
      id: 'apply_program_plan',
      method: 'POST',
      path: '/plans/{id}/apply',
      summary: 'Apply a plan',
      callers: ['session'],
      // The program's own API calls check the storage limit.
      evenWhenFull: true,
      answers: ProgramAnswer,
      body: { note: NOTE },
      rule: applyPlan,
    }),
    outside({
      id: 'remake_program_plan',
      method: 'POST',
      path: '/plans/{id}/again',
      summary: 'Make a plan again',
      rate: 'slow',
      callers: ['session'],
      answers: ProgramAnswer,
      rule: makePlanAgain,
    }),
    outside({
      id: 'play_program',
      right: 'programs.run',
      method: 'POST',
      path: '/playground',
      summary: 'Run a program',
      rate: 'slow',
      evenWhenFull: true,
      callers: ['session'],
      answers: ProgramAnswer,
      body: {
        code: longText('The program', MAX_CODE, 'get("/account")["name"]').required(),
        mode: oneOf(
          MODES,
          'search: over the catalogue; dry_run: shows what it would change; execute: runs it',
        ).required(),
      },
      rule: play,
    }),
  ],
})

/** Applies a plan exactly as reviewed, or not at all. The program has only the rights that both its author and the approver have. */
async function applyPlan(context: OutsideContext, { path, input }: ApplyCall): Promise<AnswerOf<typeof ProgramAnswer>> {
  const { caller, services } = context
  if (!isUser(caller) || caller.kind !== 'session')
    throw new ApiError('permission_denied', 'Only a person can apply plans.')
  const plan = await findRow(context, ProgramPlan, path.id)
  if (!plan) throw missingResource(ProgramPlan.name)
  const decider = { userId: caller.userId, note: input.note ?? null }
  const { body, isError } = await services.programs.execute(caller, `# apply: ${plan.id}`, { decider })
  return { failed: isError, answer: body }
}

/** Runs the program of an expired or outdated plan again, which makes a new plan. */
async function makePlanAgain(
  context: OutsideContext,
  { path }: { path: { id: string } },
): Promise<AnswerOf<typeof ProgramAnswer>> {
  const { caller, services } = context
  if (!isUser(caller) || caller.kind !== 'session')
    throw new ApiError('permission_denied', 'Only a person can make plans again.')
  const plan = await findRow(context, ProgramPlan, path.id)
  if (!plan) throw missingResource(ProgramPlan.name)
  if (plan.task_run !== null) throw new ApiError('invalid_state', OF_A_RUN)
  requireSeen(context, plan)
  refuseClosed(plan, plan.state)
  const { body, isError } = await services.programs.planAgain(caller, plan.id)
  if (isError || body.plan !== undefined) return { failed: isError, answer: body }
  const now = await findRow(context, ProgramPlan, plan.id)
  // A concurrent request has already replaced the plan.
  if (now?.replaced_by) return { failed: false, answer: { ...body, plan: now.replaced_by } }
  const [why] = Array.isArray(body.warnings) ? body.warnings : []
  const message = typeof why === 'string' ? why : NO_CHANGE
  const error = { type: 'plan_unavailable', message, line: null, source: null, hint: null }
  return { failed: true, answer: { error, committed: 'none' } }
}

async function play(
  { caller, services }: OutsideContext,
  { input }: PlayCall,
): Promise<AnswerOf<typeof ProgramAnswer>> {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only a person can run programs here.')
  const { code, mode } = input
  const { body, isError } =
    mode === 'search'
      ? await services.programs.search(caller, code)
      : await services.programs.execute(caller, code, { dryRun: mode === 'dry_run' })
  return { failed: isError, answer: body }
}
