import { ApiError } from '../../../contract/declarations/errors.ts'
import { formatUtcMoment } from '../../../format/moments.ts'
import { inWords } from '../../../format/names.ts'
import type { Context } from '../../../records/context.ts'
import { namesOf } from '../../company/user/names.ts'
import type { DisputeRow } from './dispute.ts'

/** Whether the bank waits for an answer that is neither sent nor being sent. */
export function isUnanswered({ status, response_status }: DisputeRow): boolean {
  return status === 'needs_response' && response_status !== 'sending' && response_status !== 'sent'
}

export function isTooLate({ now }: Pick<Context, 'now'>, { due_at }: DisputeRow): boolean {
  return due_at !== null && due_at <= now
}

/** Throws a 400 for a decided or answered dispute; the message names the person who answered. */
export async function requireUnanswered(context: Context, dispute: DisputeRow): Promise<void> {
  if (isUnanswered(dispute)) return
  const { status, response, responded_by, responded_at } = dispute
  if (response === null || responded_at === null)
    throw new ApiError('invalid_state', `This dispute is ${inWords(status)}: there is nothing to answer.`)
  const who = responded_by === null ? undefined : (await namesOf(context, [responded_by])).get(responded_by)
  const did = response === 'answer' ? 'answered' : 'accepted'
  throw new ApiError(
    'invalid_state',
    `${who?.name ?? 'Somebody'} ${did} this dispute on ${formatUtcMoment(responded_at)}. It can be answered once.`,
  )
}

/** Like `requireUnanswered`, and also throws a 400 after the bank's deadline. */
export async function requireAnswerable(context: Context, dispute: DisputeRow): Promise<void> {
  await requireUnanswered(context, dispute)
  const { due_at } = dispute
  if (due_at === null || !isTooLate(context, dispute)) return
  const due = formatUtcMoment(due_at)
  throw new ApiError('invalid_state', `The bank took answers until ${due}. You can only accept the dispute now.`)
}
