import { sql } from 'kysely'
import { isUser, type TokenRight } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { requireCover } from '../member/find.ts'
import { ApiToken, type ApiTokenRow } from './api_token.ts'

/** Tokens of one account: a person who makes one for every run is stopped early. */
const MOST_TOKENS = 200

/** The row carries the value, which only this answer shows. A token never has more rights than its user. */
export async function createApiToken(
  context: Context,
  { name, right, role }: CreateInput<typeof ApiToken>,
): Promise<ApiTokenRow> {
  const { caller, accountId, services } = context
  if (!isUser(caller)) throw new ApiError('permission_denied', 'A token acts for a person, so a person must create it.')
  if (role) requireCover(caller, role)
  await requireRoom(context)
  const { value, hash } = services.vault.newApiToken()
  const id = newId(ApiToken.prefix)
  await insertOne(context.db, 'api_tokens', {
    account_id: accountId,
    id,
    user_id: caller.userId,
    name,
    right_name: (right ?? 'write') satisfies TokenRight,
    role_name: role ?? null,
    token_hash: hash,
    last_four: value.slice(-4),
    // Last uses are of the real time, whatever clock the account has.
    created_at: context.realNow,
    last_used_at: null,
  })
  return Object.assign(await requireRow(context, ApiToken, id), { value })
}

async function requireRoom(context: Context): Promise<void> {
  const count = rowsOf(context, 'api_tokens').select(sql<number>`count(*)`.as('count'))
  if (Number((await count.executeTakeFirstOrThrow()).count) >= MOST_TOKENS)
    throw invalid({ base: [`An account has at most ${MOST_TOKENS} API tokens; delete one first`] })
}
