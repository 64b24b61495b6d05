import { type Caller, isUser } from '../../contract/declarations/caller.ts'
import { actorsOf } from '../../contract/declarations/rights.ts'
import { AccessLostError, type Transaction } from '../../database/database.ts'
import { holdAccess } from '../../records/hold-access.ts'
import type { Tables } from '../../resources/tables.ts'
import type { ApprovalParts } from './approval.ts'
import type { ProgramScope } from './scope.ts'

/** How often a running program checks whether its people and tokens still have access, which can end on any replica. */
const WATCH_MS = 400

/** Throws AccessLostError if a person or token of the program has lost access. None can lose it before the transaction ends. */
export async function requireAccess({ db }: Pick<Transaction<Tables>, 'db'>, caller: Caller): Promise<void> {
  if (!isUser(caller) || (await holdAccess({ db, accountId: caller.accountId }, actorsOf(caller)))) return
  throw new AccessLostError(LOST)
}

/** Stops a program soon after one of its people or tokens loses access. Returns a function that ends the watch. */
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
