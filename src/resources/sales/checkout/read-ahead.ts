import type { Context } from '../../../records/context.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { currentAccount } from '../../company/account/current.ts'
import { readTurn } from '../../messages/email/team/note-for-team.ts'
import { customerWithEmail } from './buyer.ts'
import type { CheckoutRow } from './checkout.ts'
import { soldBy } from './sold-by.ts'

/** Reads all rows that a payment needs into the cache in parallel, so that the payment waits for the database only once. */
export async function readAhead(context: Context, { lines, email, subscription }: CheckoutRow): Promise<void> {
  await Promise.all([
    currentAccount(context),
    subscription === null && soldBy(context, lines),
    email !== null && customerWithEmail(context, email),
    readTurn(context, 'sales'),
    listenersOf(context),
  ])
}
