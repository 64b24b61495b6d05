import type { AccountUser, TokenRight } from '../../../contract/declarations/caller.ts'
import { newId } from '../../../contract/values/ids.ts'
import { hashToken, newToken } from '../../../contract/values/token-format.ts'
import { timestampOf } from '../../../contract/values/values.ts'
import type { Scope } from '../../../database/database.ts'
import { writeCaps } from '../../../records/daily-caps.ts'
import { endWorkOf } from '../../../records/end-work.ts'
import type { Tables } from '../../tables.ts'

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
  /** Defaults to everything that the user may do. */
  right?: TokenRight
  /** Defaults to a random value. */
  value?: string | undefined
  caps?: Parameters<typeof writeCaps>[0] | undefined
  /** Exempts the token from rate limits. */
  unlimited?: boolean
}

/** Creates a token and returns its value, which cannot be shown again because only a keyed hash is stored. */
export async function createToken(
  database: Scope<Tables>,
  secret: string,
  { accountId, userId }: AccountUser,
  { name, right = 'write', value = newToken(), caps, unlimited = false }: NewToken,
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
  await database.transaction(async ({ db }) => {
    const accounts = db.selectFrom('accounts').select('default_currency').where('account_id', '=', accountId)
    const written = caps ? writeCaps(caps, (await accounts.executeTakeFirstOrThrow()).default_currency) : null
    await db
      .insertInto('api_tokens')
      .values({ ...token, caps: written })
      .execute()
  })
  return { id, value }
}

/** Returns the tokens of one account, or of all accounts when no account is given, oldest first. */
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

/** Revokes a token. Resolves to false when it does not exist. */
export async function deleteToken(database: Scope<Tables>, id: string): Promise<boolean> {
  return database.transaction(async ({ db }) => {
    const token = db.deleteFrom('api_tokens').where('id', '=', id).returning('account_id')
    const deleted = await token.executeTakeFirst()
    if (deleted) await endWorkOf({ db, accountId: deleted.account_id }, [id])
    return deleted !== undefined
  })
}

/** Revokes a token that was created for one call. Tasks and plans made with the token then have all rights of its user. */
export async function endTemporaryToken(database: Scope<Tables>, id: string): Promise<void> {
  await database.transaction(async ({ db }) => {
    await db.updateTable('tasks').set({ owner_token: null }).where('owner_token', '=', id).execute()
    await db.updateTable('program_plans').set({ planner_token: null }).where('planner_token', '=', id).execute()
  })
  await deleteToken(database, id)
}
