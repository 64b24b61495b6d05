import { sql } from 'kysely'
import { ApiError, invalid } from '../contract/declarations/errors.ts'
import { bytesInWords } from '../format/sizes.ts'
import type { Bringer, Storage } from '../quota/room.ts'
import { anyTable } from './any-table.ts'
import type { InAccount } from './context.ts'
import type { Select } from './page.ts'
import type { AccountTable } from './rows-of.ts'

const AGAIN_SECONDS = '300'

/** Throws a 422 for the field `base` if the account's storage is full. */
export async function requireRoom(storage: Storage, accountId: string): Promise<void> {
  if (!(await storage.hasRoom(accountId, 'account'))) throw invalid({ base: [fullSentence(storage, 'account')] })
}

/** Like `requireRoom`, but for input from strangers: throws a 503 that reveals nothing about the account and asks them to try again. */
export async function requireRoomForOutsiders(
  storage: Storage,
  accountId: string,
  bringer: Exclude<Bringer, 'account'>,
): Promise<void> {
  if (await storage.hasRoom(accountId, bringer)) return
  const headers = { 'Retry-After': AGAIN_SECONDS }
  const message = 'Nothing more can be accepted here at the moment. Please try again later.'
  throw new ApiError('storage_full', message, { headers })
}

/** Throws a 422 for the field `base` if the account has `most` rows of a table already. `narrow` selects the rows that count. */
export async function requireFewer(
  context: InAccount,
  { table, name, most, narrow = (rows) => rows }: RowLimit,
): Promise<void> {
  const rows = anyTable(context).selectFrom(String(table)).where('account_id', '=', context.accountId)
  const { count } = await narrow(rows.select(sql`count(*)`.as('count'))).executeTakeFirstOrThrow()
  if (Number(count) >= most) throw invalid({ base: [`An account has at most ${most} ${name}; delete one first`] })
}

interface RowLimit {
  table: AccountTable
  /** The rows in words, such as `tasks`. */
  name: string
  most: number
  narrow?: (rows: Select) => Select
}

export function fullSentence({ limitBytes, outsiderBytes }: Storage, bringer: Bringer): string {
  const outside =
    bringer === 'outsider' ? `, and input from outside is refused above ${bytesInWords(outsiderBytes)}` : ''
  return `The account’s records are limited to ${bytesInWords(limitBytes)}${outside}. Delete what you no longer need: Settings, Storage shows what uses the space.`
}
