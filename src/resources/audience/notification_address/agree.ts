import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { NotificationAddress } from './notification_address.ts'

/** The owner of an address agrees to notifications of the account's forms. Nothing changes when the link has expired. */
export async function agreeToNotifications(context: Context, row: Row<typeof NotificationAddress>): Promise<void> {
  if (isOpen(context, row))
    await changeRow(context, NotificationAddress, row, { confirmed_at: context.realNow, expires_at: null })
}

/** Whether its link can be used: it was not, and has not expired. */
export function isOpen(
  { realNow }: Pick<Context, 'realNow'>,
  { expires_at }: Row<typeof NotificationAddress>,
): boolean {
  return expires_at !== null && expires_at > realNow
}
