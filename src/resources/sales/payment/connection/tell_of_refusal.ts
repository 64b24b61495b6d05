import { include } from '../../../../contract/declarations/role-rights.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { membersOf } from '../../../company/user/members.ts'
import { queuePaymentsStopped } from '../../../messages/email/service_mail.ts'
import { findConnection } from './find.ts'
import { providerTitle } from './open.ts'

type OfConnection = { connection: string }

/** The job that tells the team of a refused key, by its name. */
export const TELL_OF_REFUSAL: Enqueueable<OfConnection> = { name: 'payment_connection.tell_of_refusal' }

/** Writes to everybody who may enter another key, unless that was done meanwhile. */
export const tellOfRefusal = dueJob<OfConnection>(TELL_OF_REFUSAL.name, {
  emits: ['email.created'],
  async work(context: Context, { connection: id }) {
    const connection = await findConnection(context, id)
    if (!connection || connection.refused_at === null) return
    const { subdomain, name: account } = await currentAccount(context)
    const data = {
      account,
      provider: providerTitle(context, connection.provider),
      reason: connection.refused_reason ?? '',
      isCurrent: connection.status === 'current',
      url: `${context.publicUrl}/dashboard/${subdomain}/settings/payments`,
    }
    const members = [...(await membersOf(context)).values()]
    for (const { email: to } of members.filter(({ role }) => include([role], 'settings.write')))
      await queuePaymentsStopped(context, { to, customer: null }, data)
  },
})
