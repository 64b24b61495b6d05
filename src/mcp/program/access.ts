import { type Caller, isUser } from '../../contract/declarations/caller.ts'
import { actorsOf } from '../../contract/declarations/rights.ts'
import { AccessLostError, type Transaction } from '../../database/database.ts'
import { holdAccess } from '../../records/hold-access.ts'
import type { Tables } from '../../resources/tables.ts'
import type { ApprovalParts } from './approval.ts'
import type { ProgramScope } from './scope.ts'

/** How often a running program asks whether its actors still have access, on any replica. */
const WATCH_MS = 400

/** Throws in a program's last transaction if a token that it runs with was revoked. Until the end of the transaction, none can be. */
export async function requireAccess({ db }: Pick<Transaction<Tables>, 'db'>, caller: Caller): Promise<void> {
  if (!isUser(caller) || (await holdAccess({ db, accountId: caller.accountId }, actorsOf(caller)))) return
  throw new AccessLostError(LOST)
}

/** Stops a program soon after one of its actors loses access. Returns the function that ends the watch. */
export function watchAccess(
  { rightsOf }: ApprovalParts,
  caller: Caller,
  scope: Pick<ProgramScope<Tables>, 'takeAway'>,
): () => void {
  if (!isUser(caller)) return () => {}
  const watch = setInterval(async () => {
    const rights = await rightsOf(caller.accountId, actorsOf(caller)).catch(() => undefined)
    if (rights === null) scope.takeAway(new AccessLostError(LOST))
  }, WATCH_MS)
  return () => clearInterval(watch)
}

const LOST =
  'Access was lost while the program ran: an API token was deleted, a connection was ended, or a user has left. Nothing more was saved.'
