import type { AccountUser, TokenRight } from '../../../contract/declarations/caller.ts'
import { newId } from '../../../contract/values/ids.ts'
import { hashToken, newToken } from '../../../contract/values/token-format.ts'
import { timestampOf } from '../../../contract/values/values.ts'
import type { Scope } from '../../../database/database.ts'
import type { Tables } from '../../tables.ts'

/** A token as people see it: never its value. */
export interface TokenSummary {
  id: string
  name: string
  right: string
  last_four: string
  created_at: string
  last_used_at: string | null
  account: string
  creator: string
}

export interface NewToken {
  name: string
  /** What it may do; everything its user may when absent. */
  right?: TokenRight
  /** A value chosen by the caller; a random one when absent. */
  value?: string | undefined
  /** No rate limit counts for it. */
  unlimited?: boolean
}

/** Makes a token and returns its value, which is shown once and stored only as a keyed hash. */
export async function createToken(
  database: Scope<Tables>,
  secret: string,
  { accountId, userId }: AccountUser,
  { name, right = 'write', value = newToken(), unlimited = false }: NewToken,
): Promise<{ id: string; value: string }> {
  const id = newId('token')
  const token = {
    account_id: accountId,
    id,
    user_id: userId,
    name,
    right_name: right,
    token_hash: hashToken(value, secret),
    last_four: value.slice(-4),
    created_at: timestampOf(new Date()),
    last_used_at: null,
    unlimited: unlimited ? 1 : 0,
  }
  await database.transaction(({ db }) => db.insertInto('api_tokens').values(token).execute())
  return { id, value }
}

/** The tokens of one account, or of all, oldest first. */
export async function listTokens(database: Scope<Tables>, accountId?: string): Promise<TokenSummary[]> {
  const tokens = database.read
    .selectFrom('api_tokens')
    .innerJoin('accounts', 'accounts.account_id', 'api_tokens.account_id')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .select([
      'api_tokens.id',
      'api_tokens.name',
      'right_name as right',
      'last_four',
      'api_tokens.created_at',
      'last_used_at',
    ])
    .select(['accounts.subdomain as account', 'users.email as creator'])
    .orderBy('api_tokens.id')
  return accountId === undefined ? tokens.execute() : tokens.where('api_tokens.account_id', '=', accountId).execute()
}

/** Deletes a token; it stops working with the next request. False when there is none of that id. */
export async function deleteToken(database: Scope<Tables>, id: string): Promise<boolean> {
  const { numDeletedRows } = await database.transaction(({ db }) =>
    db.deleteFrom('api_tokens').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n
}

/** Deletes a token that was made for one call of its user. Tasks and plans that the call has made have the user's own rights from then on. */
export async function endTemporaryToken(database: Scope<Tables>, id: string): Promise<void> {
  await database.transaction(async ({ db }) => {
    await db.updateTable('tasks').set({ owner_token: null }).where('owner_token', '=', id).execute()
    await db.updateTable('program_plans').set({ planner_token: null }).where('planner_token', '=', id).execute()
  })
  await deleteToken(database, id)
}
