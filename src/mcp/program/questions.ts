import { type Caller, isUser, type UserCaller } from '../../contract/declarations/caller.ts'
import { actorsOf, cappedBy, leastRights, rightOf, withoutImplied } from '../../contract/declarations/rights.ts'
import { boundBy, rolesOf } from '../../contract/declarations/role-rights.ts'
import { newId } from '../../contract/values/ids.ts'
import type { AccountTime } from '../../pipeline/account-time.ts'
import { taskActors } from '../../pipeline/task-owner.ts'
import type { Tables } from '../../resources/tables.ts'
import { type Json, type Question, QuestionRefused } from '../../sandbox/api.ts'
import type { ApprovalParts } from './approval.ts'
import type { ProgramCalls } from './calls.ts'
import type { ProgramScope } from './scope.ts'

export interface QuestionParts extends ApprovalParts {
  time: AccountTime
}

interface QuestionContext {
  caller: Caller
  scope: ProgramScope<Tables>
  calls: ProgramCalls
  dryRun: boolean
  /** Whether the program applies a plan. Its tasks were rehearsed when the plan was made. */
  applies: boolean
}

/** Answers a program's questions to the host other than API calls, such as the account's time zone, in the program's transaction. */
export function answerQuestion(parts: QuestionParts, asking: QuestionContext, question: Question): Promise<Json> {
  const { caller, scope } = asking
  switch (question.about) {
    case 'clock':
      return parts.time.clockAheadMs(scope, caller.accountId)
    case 'zone':
      return parts.time.zone(scope, caller.accountId)
    case 'rehearsal':
      return question.task === null ? endRehearsal(asking) : beginRehearsal(parts, asking, question.task)
  }
}

/** Starts the rehearsal of a task. Its calls have only the rights that the caller and everyone who shaped the task share. */
async function beginRehearsal(parts: QuestionParts, asking: QuestionContext, taskId: string): Promise<Json> {
  const { caller, scope, calls, dryRun, applies } = asking
  if (applies) return null
  if (!dryRun) throw new QuestionRefused(NOT_DRY)
  if (!isUser(caller) || caller.origin || calls.rehearses) throw new QuestionRefused(NESTED)
  const bounding = await taskActors(scope, caller.accountId, taskId)
  if (!bounding) throw new QuestionRefused(`There is no task ${taskId.slice(0, 100)}.`)
  const acting = await rehearsing(parts, caller, bounding)
  if (!acting) throw new QuestionRefused(NO_RIGHTS)
  const run = newId('atrun')
  calls.rehearse({ ...acting, origin: { run, tasks: [taskId] } })
  return { run, event: newId('evt') }
}

async function endRehearsal({ calls }: QuestionContext): Promise<Json> {
  calls.endRehearsal()
  return null
}

async function rehearsing(
  parts: QuestionParts,
  caller: UserCaller,
  bounding: Parameters<typeof withoutImplied>[0],
): Promise<UserCaller | null> {
  const own = actorsOf(caller)
  const others = withoutImplied(bounding).filter(
    (actor) => !own.some((one) => one.userId === actor.userId && one.tokenId === actor.tokenId),
  )
  const all = await parts.rightsOf(caller.accountId, others)
  if (!all) return null
  const { roles, right } = leastRights([{ roles: rolesOf(caller), right: rightOf(caller) }, ...all])
  return { ...caller, ...boundBy(roles), right, limits: [...(caller.limits ?? []), ...all], ...cappedBy(all, caller) }
}

const NOT_DRY =
  'rehearse keeps nothing, so it works only in a dry run: write # dry_run: true in the first line. The task itself runs by its trigger.'
const NESTED = 'A rehearsed program, or the run of a task, cannot rehearse.'
const NO_RIGHTS =
  'The task would fail: someone who wrote its prompt, or changed when and how it runs, has lost access: an API token was deleted, or its user has left the account. Set the prompt again to run it with your own rights.'
