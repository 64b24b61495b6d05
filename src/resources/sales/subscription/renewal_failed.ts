import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Order } from '../order/order.ts'
import type { Payment } from '../payment/payment.ts'

export async function renewalFailed(
  _context: Context,
  _payment: Row<typeof Payment>,
  _order: Row<typeof Order>,
): Promise<void> {}
