import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { requireState } from '../../../records/verbs.ts'
import { setDeliveries } from '../social_delivery/of_post.ts'
import { requireAccounts, requireContent, requireMedia } from './content.ts'
import { requirePublishable } from './publishable.ts'
import { replan, requirePlannable } from './schedule.ts'
import { SocialPost, type SocialPostRow } from './social_post.ts'

type PostChanges = Changes<typeof SocialPost>

/** Changes a draft, or a planned post, which must still fit all of its accounts then. */
export async function updatePost(context: Context, post: SocialPostRow, given: PostChanges): Promise<SocialPostRow> {
  requireState(SocialPost, 'update', post)
  const changes = { ...given, ...(await requireMedia(context, given)), ...(await accountsOf(context, given)) }
  requireContent({ ...post, ...changes })
  const { scheduled_at } = changes
  if (scheduled_at != null && scheduled_at !== post.scheduled_at) requirePlannable(context, scheduled_at)
  if (scheduled_at === null && post.status === 'scheduled') throw invalid({ scheduled_at: ["can't be blank"] })
  const changed = await changeRow(context, SocialPost, post, changes)
  const current = changed.status === 'scheduled' ? await keepPlanned(context, post, changed) : changed
  context.emit(SocialPost, 'updated', current)
  return current
}

async function accountsOf(context: Context, { social_accounts: given }: PostChanges) {
  if (given === undefined) return {}
  const { ids, platforms } = await requireAccounts(context, given)
  if (ids.length === 0) throw invalid({ social_accounts: ["can't be blank"] })
  return { social_accounts: ids, platforms }
}

/** A change that touches neither words nor accounts nor the time is possible whatever has become of an account. */
async function keepPlanned(context: Context, before: SocialPostRow, post: SocialPostRow): Promise<SocialPostRow> {
  const names = [
    'content',
    'media',
    'link_url',
    'first_comment',
    'overrides',
    'social_accounts',
    'scheduled_at',
  ] as const
  if (names.every((name) => JSON.stringify(before[name]) === JSON.stringify(post[name]))) return post
  await setDeliveries(context, post.id, await requirePublishable(context, post, true))
  return post.scheduled_at === before.scheduled_at ? post : replan(context, post, post.scheduled_at!)
}
