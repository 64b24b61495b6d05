import { include } from '../../../../contract/declarations/role-rights.ts'
import { KeyRefusedError } from '../../../../providers/payments/connector.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob } from '../../../../records/job.ts'
import { updateRowsOf } from '../../../../records/rows-of.ts'
import { currentAccount } from '../../../company/account/current.ts'
import { membersOf } from '../../../company/user/members.ts'
import { queuePaymentsStopped } from '../../../messages/email/service-mail.ts'
import { findConnection } from './find.ts'
import { providerTitle } from './open.ts'

/** E-mails all members who may enter a new key, unless one was entered meanwhile. */
export const tellOfRefusal = dueJob<{ connection: string }>('payment_connection.tell_of_refusal', {
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

const MAX_REASON = 300

interface KeyRefusal {
  name: string
  /** The encrypted key that was refused. */
  key: string | null
  message: string
}

/** Returns the error if an account's own key was refused, otherwise null. */
export function keyRefusalIn(error: unknown): KeyRefusedError | null {
  return error instanceof KeyRefusedError && error.owner === 'account' ? error : null
}

/** Records the refusal of a key, and e-mails the team once. Returns true if the key was replaced meanwhile. */
export async function noteRefusal(context: Context, { name, key, message }: KeyRefusal): Promise<boolean> {
  const connection = await findConnection(context, name)
  if (!connection) return false
  if (connection.sealed_key !== key) return connection.status !== 'deleted'
  if (connection.refused_at !== null) return false
  const refused = { refused_at: context.realNow, refused_reason: message.slice(0, MAX_REASON) }
  await updateRowsOf(context, 'payment_connections').set(refused).where('id', '=', name).execute()
  if (connection.status !== 'removed') await context.enqueue(tellOfRefusal, { connection: name }, { inRealTime: true })
  return false
}
