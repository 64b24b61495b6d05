import { type Actor, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { actorsOf, decidersOf, withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import type { TaskRow } from './task.ts'

type Owner = Pick<TaskRow, 'owner_user' | 'owner_token' | 'limits'>

/** Changes that decide when a task runs, or that nobody looks at a run first. */
const DECISIVE = [
  'trigger_type',
  'cron_expression',
  'interval_seconds',
  'scheduled_at',
  'timezone',
  'event_types',
  'event_source',
  'approval_mode',
  'trust_events',
  'active',
  'expires_at',
] as const
/** People and tokens that bound one task. */
const MOST_LIMITS = 50

/** Whose rights the runs have of a prompt that the caller writes. */
export function ownerOf({ caller }: Context): Owner {
  if (!isUser(caller)) return { owner_user: '', owner_token: null, limits: [] }
  const owner = { userId: caller.userId, tokenId: caller.kind === 'token' ? caller.tokenId : null }
  const limits = actorsOf(caller).filter((actor) => !isSame(actor, owner))
  return { owner_user: owner.userId, owner_token: owner.tokenId, limits }
}

/**
 * Those who bound the runs of a task after a change: whoever decides when or how somebody else's words are carried out lends
 * them no rights, and gets none from them.
 */
export function limitsAfter(context: Context, before: TaskRow, changed: TaskRow): Actor[] {
  if (!DECISIVE.some((name) => widens(name, before, changed))) return changed.limits
  const owner = { userId: changed.owner_user, tokenId: changed.owner_token }
  const all = withoutImplied([owner, ...changed.limits, ...decidersOf(context.caller)])
  if (all.length > MOST_LIMITS)
    throw new ApiError(
      'invalid_state',
      `More than ${MOST_LIMITS} people and tokens have changed how this task runs. Set its prompt again to run it with only your rights.`,
    )
  return all.filter((actor) => !isSame(actor, owner))
}

/** A task that is paused or supervised does less than before. A manual one that becomes active does one run, which is bounded by itself. */
function widens(name: (typeof DECISIVE)[number], before: TaskRow, changed: TaskRow): boolean {
  if (JSON.stringify(before[name]) === JSON.stringify(changed[name])) return false
  if (name === 'active') return changed.active && changed.trigger_type !== 'manual'
  if (name === 'trust_events') return changed.trust_events
  return name !== 'approval_mode' || changed.approval_mode === 'auto'
}

function isSame(one: Actor, other: Actor): boolean {
  return one.userId === other.userId && one.tokenId === other.tokenId
}
