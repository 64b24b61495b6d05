import { type FieldErrors, invalid } from '../../../../contract/declarations/errors.ts'
import { laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { changeRow, findRow, findRows } from '../../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import {
  closePost,
  deliveriesOfPost,
  publishDelivery,
  removeDeliveries,
  renewFailed,
  setDeliveries,
} from '../social-delivery/publish.ts'
import type { Draft } from './content.ts'
import { type Fit, fitsOf } from './limits.ts'
import { SocialPost, type SocialPostRow } from './social-post.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000

export async function schedulePost(
  context: Context,
  post: SocialPostRow,
  { scheduled_at, timezone }: { scheduled_at: string; timezone?: string },
): Promise<SocialPostRow> {
  requirePlannable(context, scheduled_at)
  const timed = timezone === undefined ? post : await changeRow(context, SocialPost, post, { timezone })
  return context.emit(SocialPost, 'updated', await planPost(context, timed, scheduled_at))
}

/** Schedules a post. Throws a 422 when the post violates the limits of an account. */
export async function planPost(context: Context, post: SocialPostRow, scheduled_at: string): Promise<SocialPostRow> {
  const accounts = await requirePublishable(context, post, true)
  await setDeliveries(context, post.id, accounts)
  await renewFailed(context, post.id)
  return context.emit(SocialPost, 'scheduled', await replan(context, post, scheduled_at))
}

export async function replan(context: Context, post: SocialPostRow, scheduled_at: string): Promise<SocialPostRow> {
  if (post.due_job !== null) await context.cancel(post.due_job)
  const due_job = await context.enqueue(publishDue, { post: post.id }, { runAt: scheduled_at })
  return changeRow(context, SocialPost, post, { status: 'scheduled', scheduled_at, due_job })
}

export async function unschedulePost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  if (post.due_job !== null) await context.cancel(post.due_job)
  await removeDeliveries(context, post.id)
  const draft = { status: 'draft', scheduled_at: null, due_job: null } as const
  return context.emit(SocialPost, 'updated', await changeRow(context, SocialPost, post, draft))
}

export const publishDue = dueJob<{ post: string }>('social_post.publish_due', {
  emits: ['social_post.failed'],
  async work(context, { post: id }) {
    const post = await findRow(context, SocialPost, id)
    if (post?.status !== 'scheduled' || post.scheduled_at === null || post.scheduled_at > context.now) return
    await sendOut(context, post, { awaited: false })
  },
})

/** Returns the reason why posts cannot be scheduled for the given time, or null if they can. */
export function timeProblem({ now }: Pick<Context, 'now'>, scheduled_at: string): string | null {
  if (scheduled_at <= now) return 'must be in the future'
  return scheduled_at > laterBy(now, YEAR_MS) ? 'must be within a year' : null
}

/** Throws a 422 when posts cannot be scheduled for the given time. */
export function requirePlannable(context: Pick<Context, 'now'>, scheduled_at: string): void {
  const problem = timeProblem(context, scheduled_at)
  if (problem !== null) throw invalid({ scheduled_at: [problem] })
}

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
async function sendOut(context: Context, post: SocialPostRow, { awaited }: PublishOptions): Promise<SocialPostRow> {
  const publishing = await changeRow(context, SocialPost, post, { status: 'publishing', due_job: null })
  const pending = (await deliveriesOfPost(context, post.id)).filter(({ status }) => status === 'pending')
  for (const { id } of pending) await context.enqueue(publishDelivery, { delivery: id }, { awaited })
  return pending.length > 0 ? publishing : closePost(context, post.id)
}

export async function publishPost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  return context.emit(SocialPost, 'updated', await startPublishing(context, post, { awaited: true }))
}

/** Publishes a post again on the accounts where it failed. */
export async function retryPost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  await renewFailed(context, post.id)
  return context.emit(SocialPost, 'updated', await sendOut(context, post, { awaited: true }))
}

interface Candidate extends Draft {
  social_accounts: string[]
}

/** Returns the accounts of a post. Throws a 422 with all problems when the post violates the limits of an account. */
export async function requirePublishable(
  context: Context,
  post: Candidate,
  scheduled: boolean,
): Promise<SocialAccountRow[]> {
  const found = await findRows(context, SocialAccount, post.social_accounts)
  const accounts = post.social_accounts.flatMap((id) => found.get(id) ?? [])
  const errors: FieldErrors = {}
  for (const [index, id] of post.social_accounts.entries())
    if (!found.has(id)) errors[`social_accounts.${index}`] = ['was disconnected; remove it']
  for (const fit of await fitsOf(context, { draft: post, accounts, scheduled }))
    addProblems(errors, fit, post.social_accounts.indexOf(fit.account.id))
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return accounts
}

/** Adds the problems of one account to `errors`. A problem that several accounts of a platform have is added only once. */
function addProblems(errors: FieldErrors, { problems }: Fit, index: number): void {
  for (const { field, message } of problems) {
    const name = field === 'account' ? `social_accounts.${index}` : field
    errors[name] = [...new Set([...(errors[name] ?? []), message])]
  }
}
