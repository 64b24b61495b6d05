import { type Actor, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { actorsOf, decidersOf, withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import type { TaskRow } from './task.ts'

type Owner = Pick<TaskRow, 'owner_user' | 'owner_token' | 'limits'>

/** The fields that decide when a task runs and whether a person reviews its runs first. */
const DECISIVE_FIELDS = [
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
/** The maximum number of people and tokens whose rights limit one task. */
const MOST_LIMITS = 50

/** Returns the owner and limits of a prompt that the caller writes. Its runs have only rights that all of them have. */
export function ownerOf({ caller }: Context): Owner {
  if (!isUser(caller)) return { owner_user: '', owner_token: null, limits: [] }
  const owner = { userId: caller.userId, tokenId: caller.kind === 'token' ? caller.tokenId : null }
  const limits = actorsOf(caller).filter((actor) => !isSame(actor, owner))
  return { owner_user: owner.userId, owner_token: owner.tokenId, limits }
}

/**
 * Returns the people and tokens whose rights limit a task's runs after a change. When a caller changes when or how another person's prompt
 * runs, its runs have only rights that both have.
 */
export function limitsAfter(context: Context, before: TaskRow, changed: TaskRow): Actor[] {
  if (!DECISIVE_FIELDS.some((name) => widens(name, before, changed))) return changed.limits
  const owner = { userId: changed.owner_user, tokenId: changed.owner_token }
  const all = withoutImplied([owner, ...changed.limits, ...decidersOf(context.caller)])
  if (all.length > MOST_LIMITS)
    throw new ApiError(
      'invalid_state',
      `More than ${MOST_LIMITS} people and tokens have changed how this task runs. Set its prompt again to run it with only your rights.`,
    )
  return all.filter((actor) => !isSame(actor, owner))
}

/** Returns whether a change lets a task do more. Activating a manual task does not, because it starts one run with limits of its own. */
function widens(name: (typeof DECISIVE_FIELDS)[number], before: TaskRow, changed: TaskRow): boolean {
  if (JSON.stringify(before[name]) === JSON.stringify(changed[name])) return false
  if (name === 'active') return changed.active && changed.trigger_type !== 'manual'
  if (name === 'trust_events') return changed.trust_events
  return name !== 'approval_mode' || changed.approval_mode === 'auto'
}

function isSame(one: Actor, other: Actor): boolean {
  return one.userId === other.userId && one.tokenId === other.tokenId
}
