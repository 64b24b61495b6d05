import type { Scope } from '../../../../database/database.ts'
import type { Services } from '../../../../records/services.ts'
import type { ConnectionRow } from '../../../sales/payment/connection/find.ts'
import { endWebhook } from '../../../sales/payment/connection/remove.ts'
import type { Tables } from '../../../tables.ts'

/**
 * Ends the webhook endpoints of deleted accounts at their payment providers. An endpoint whose provider cannot be reached is tried
 * again by the next call, until `finishDeletions` forgets the account.
 */
export async function endWebhooksOfDeleted(database: Scope<Tables>, services: Services): Promise<void> {
  const deletions = database.read.selectFrom('account_deletions').selectAll().where('payment_webhooks', 'is not', null)
  for (const { id, payment_webhooks } of await deletions.execute()) {
    const connections: ConnectionRow[] = JSON.parse(payment_webhooks ?? '[]')
    const leftOf = (one: ConnectionRow) =>
      endWebhook({ services }, one).then(
        () => [],
        () => [one],
      )
    const left = (await Promise.all(connections.map(leftOf))).flat()
    const values = { payment_webhooks: left.length > 0 ? JSON.stringify(left) : null }
    await database.transaction(({ db }) =>
      db.updateTable('account_deletions').set(values).where('id', '=', id).execute(),
    )
  }
}
