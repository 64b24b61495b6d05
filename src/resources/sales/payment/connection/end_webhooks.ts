import type { Scope } from '../../../../database/database.ts'
import type { Services } from '../../../../records/services.ts'
import type { Tables } from '../../../tables.ts'
import type { ConnectionRow } from './find.ts'
import { endWebhook } from './remove.ts'

/**
 * Ends the webhook endpoints of deleted accounts at their payment providers. An endpoint whose provider cannot be reached is tried
 * again by the next call, until `finishDeletions` forgets the account.
 */
export async function endWebhooksOfDeleted(database: Scope<Tables>, services: Services): Promise<void> {
  const deletions = database.read.selectFrom('account_deletions').selectAll().where('payment_webhooks', 'is not', null)
  for (const { id, payment_webhooks } of await deletions.execute()) {
    const connections: ConnectionRow[] = JSON.parse(payment_webhooks!)
    const tries = await Promise.allSettled(connections.map((one) => endWebhook({ services }, one)))
    const left = connections.filter((_, index) => tries[index]!.status === 'rejected')
    const values = { payment_webhooks: left.length > 0 ? JSON.stringify(left) : null }
    await database.transaction(({ db }) =>
      db.updateTable('account_deletions').set(values).where('id', '=', id).execute(),
    )
  }
}
