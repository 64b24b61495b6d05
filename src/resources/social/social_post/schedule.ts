import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { removeDeliveries, renewFailed, setDeliveries } from '../social_delivery/of_post.ts'
import { sendOut } from './publish.ts'
import { requirePublishable } from './publishable.ts'
import { SocialPost, type SocialPostRow } from './social_post.ts'
import { requirePlannable } from './times.ts'

/** The operation: plans a post for a time. */
export async function schedulePost(
  context: Context,
  post: SocialPostRow,
  { scheduled_at, timezone }: { scheduled_at: string; timezone?: string },
): Promise<SocialPostRow> {
  requirePlannable(context, scheduled_at)
  const timed = timezone === undefined ? post : await changeRow(context, SocialPost, post, { timezone })
  const planned = await planPost(context, timed, scheduled_at)
  context.emit(SocialPost, 'updated', planned)
  return planned
}

/** Plans a post that fits all of its accounts; a 422 where it does not. */
export async function planPost(context: Context, post: SocialPostRow, scheduled_at: string): Promise<SocialPostRow> {
  const accounts = await requirePublishable(context, post, true)
  await setDeliveries(context, post.id, accounts)
  await renewFailed(context, post.id)
  const planned = await replan(context, post, scheduled_at)
  context.emit(SocialPost, 'scheduled', planned)
  return planned
}

/** Moves the job that publishes a post to another time. */
export async function replan(context: Context, post: SocialPostRow, scheduled_at: string): Promise<SocialPostRow> {
  if (post.due_job !== null) await context.cancel(post.due_job)
  const due_job = await context.enqueue(publishDue, { post: post.id }, { runAt: scheduled_at })
  return changeRow(context, SocialPost, post, { status: 'scheduled', scheduled_at, due_job })
}

/** Makes a draft of a planned post again. */
export async function unschedulePost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  if (post.due_job !== null) await context.cancel(post.due_job)
  await removeDeliveries(context, post.id)
  const draft = { status: 'draft', scheduled_at: null, due_job: null } as const
  const changed = await changeRow(context, SocialPost, post, draft)
  context.emit(SocialPost, 'updated', changed)
  return changed
}

/** Publishes a post whose time has come. */
export const publishDue = dueJob<{ post: string }>('social_post.publish_due', {
  emits: ['social_post.failed'],
  async work(context, { post: id }) {
    const post = await findRow(context, SocialPost, id)
    if (post?.status !== 'scheduled' || post.scheduled_at === null || post.scheduled_at > context.now) return
    await sendOut(context, post, { awaited: false })
  },
})
