import { timestampOf } from '../../../contract/values/values.ts'
import { formatMoment } from '../../../format/moments.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { PLANS_WAIT, unannounced } from '../../../records/plan-announcement.ts'
import { rolesThatApply } from '../../../records/program-sight.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { queuePlansWaiting } from '../../messages/email/service-mail.ts'
import { readersOf, stopUrl } from '../../messages/email/team/letter-choices.ts'
import type { PlansWaitingData } from '../../messages/email/templates/team.ts'
import type { Tables } from '../../tables.ts'
import { callerNames } from '../callers.ts'
import { countsOf } from './show.ts'

/** Limits e-mails to approvers, because an agent may create a hundred plans in a minute. */
const PAUSE_MINUTES = 5

/** E-mails the people who may decide on open plans, at most once every PAUSE_MINUTES. */
export const plansWait = dueJob<Record<string, never>>(PLANS_WAIT, {
  emits: ['email.created'],
  async work(context) {
    const waiting = await unannounced(context, context.realNow)
      .select(['id', 'shown', 'caller_id', 'user_id', 'expires_at', 'needs'])
      .orderBy('id')
      .execute()
    if (waiting.length === 0) return
    const next = await nextLetter(context)
    if (next !== null) {
      await context.enqueue({ name: PLANS_WAIT }, {}, { runAt: next, inRealTime: true })
      return
    }
    const ids = waiting.map(({ id }) => id)
    await updateRowsOf(context, 'program_plans').set({ announced_at: context.realNow }).where('id', 'in', ids).execute()
    await writeTo(context, waiting)
  },
})

/** Returns the earliest time of the next e-mail to approvers, or null if they may be e-mailed now. */
async function nextLetter(context: Context): Promise<string | null> {
  const announced = rowsOf(context, 'program_plans').select('announced_at').where('announced_at', 'is not', null)
  const last = await announced.orderBy('announced_at', 'desc').limit(1).executeTakeFirst()
  if (!last?.announced_at) return null
  const next = timestampOf(new Date(Date.parse(last.announced_at) + PAUSE_MINUTES * 60_000))
  return next > context.realNow ? next : null
}

type WaitingPlan = Pick<Tables['program_plans'], 'id' | 'shown' | 'caller_id' | 'user_id' | 'expires_at' | 'needs'>

/** E-mails each reader only about plans that the reader's role may apply, because other plans are hidden from that reader. */
async function writeTo(context: Context, plans: WaitingPlan[]): Promise<void> {
  for (const { id: userId, email: to, role } of await readersOf(context, 'plans')) {
    const waiting = plans.filter((plan) => rolesThatApply(plan).includes(role))
    if (waiting.length === 0) continue
    const stop = stopUrl(context, { accountId: context.accountId, userId, letter: 'plans' })
    await queuePlansWaiting(context, { to, customer: null, stopUrl: stop }, await letterAbout(context, waiting))
  }
}

async function letterAbout(context: Context, plans: WaitingPlan[]): Promise<PlansWaitingData> {
  const { subdomain, name: account, timezone } = await currentAccount(context)
  const names = await callerNames(context, plans)
  const firstExpiry = plans.map(({ expires_at }) => expires_at).reduce((one, other) => (one < other ? one : other))
  const address = `${context.publicUrl}/dashboard/${subdomain}/plans`
  return {
    account,
    plans: plans.map(({ shown }, index) => ({ agent: names[index]!.caller_name, counts: countsOf(shown) })),
    url: plans.length === 1 ? `${address}/${plans[0]!.id}` : address,
    until: formatMoment(firstExpiry, timezone),
    pauseMinutes: PAUSE_MINUTES,
  }
}
