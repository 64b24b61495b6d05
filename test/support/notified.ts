import { newId } from '../../src/contract/values/ids.ts'
import type { Shop } from './shop.ts'

/** Addresses whose owners have agreed to the notifications of forms. */
export async function agreed(shop: Shop, ...addresses: string[]): Promise<void> {
  const now = new Date().toISOString()
  const rows = addresses.map((address) => ({
    account_id: shop.accountId,
    id: newId('notify'),
    address,
    confirmed_at: now,
    expires_at: null,
    created_at: now,
  }))
  await shop.running.app.database.transaction(({ db }) =>
    db
      .insertInto('notification_addresses')
      .values(rows as never)
      .execute(),
  )
}
