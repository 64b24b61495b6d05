import type { Context } from '../../../../records/context.ts'
import { changeRow } from '../../../../records/records.ts'
import { deliveriesOfPost, renewFailed, setDeliveries } from '../social-delivery/of-post.ts'
import { publishDelivery } from '../social-delivery/publish.ts'
import { closePost } from './close.ts'
import { requirePublishable } from './publishable.ts'
import { SocialPost, type SocialPostRow } from './social-post.ts'

interface PublishOptions {
  /** Whether the response waits for the result of publishing. */
  awaited: boolean
}

/** Publishes a post on all its accounts after the commit. Throws a 422 when the post violates the limits of an account. */
export async function startPublishing(
  context: Context,
  post: SocialPostRow,
  { awaited }: PublishOptions,
): Promise<SocialPostRow> {
  const accounts = await requirePublishable(context, post, false)
  if (post.due_job !== null) await context.cancel(post.due_job)
  await setDeliveries(context, post.id, accounts)
  await renewFailed(context, post.id)
  return sendOut(context, post, { awaited })
}

/** Enqueues a job for each pending delivery of a post. */
export async function sendOut(
  context: Context,
  post: SocialPostRow,
  { awaited }: PublishOptions,
): Promise<SocialPostRow> {
  const publishing = await changeRow(context, SocialPost, post, { status: 'publishing', due_job: null })
  const pending = (await deliveriesOfPost(context, post.id)).filter(({ status }) => status === 'pending')
  for (const { id } of pending) await context.enqueue(publishDelivery, { delivery: id }, { awaited })
  return pending.length > 0 ? publishing : closePost(context, post.id)
}

/** Publishes a stored post now. */
export async function publishPost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  const publishing = await startPublishing(context, post, { awaited: true })
  context.emit(SocialPost, 'updated', publishing)
  return publishing
}

/** Publishes a post again on the accounts where it failed. */
export async function retryPost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  await renewFailed(context, post.id)
  const publishing = await sendOut(context, post, { awaited: true })
  context.emit(SocialPost, 'updated', publishing)
  return publishing
}
