import type { Context } from '../../../records/context.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { currentAccount } from '../../company/account/current.ts'
import { readTurn } from '../../messages/email/team/note-for-team.ts'
import { customerWithEmail } from './buyer.ts'
import type { CheckoutRow } from './checkout.ts'
import { soldBy } from './sold-by.ts'

/**
 * Starts all reads that the payment of a checkout needs at the same time, so that the payment waits for the database only once. If the
 * checkout has changed since it was read, the payment reads the missing rows itself.
 */
export async function readAhead(context: Context, { lines, email, subscription }: CheckoutRow): Promise<void> {
  await Promise.all([
    currentAccount(context),
    subscription === null && soldBy(context, lines),
    email !== null && customerWithEmail(context, email),
    readTurn(context, 'sales'),
    listenersOf(context),
  ])
}
