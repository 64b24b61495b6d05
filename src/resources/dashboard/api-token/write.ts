import { isUser, type TokenRight } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { insertOne } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { writeCaps } from '../../../records/daily-caps.ts'
import { endWorkOf } from '../../../records/end-work.ts'
import { deleteRow, requireRow } from '../../../records/records.ts'
import { requireFewer, rowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { requireCover } from '../member/find.ts'
import { requireVisible } from '../sight.ts'
import { ApiToken, type ApiTokenRow } from './api-token.ts'

/** Stops clients that create a token for every run. */
const MOST_TOKENS = 200

/** Creates a token with at most the rights of its user. Only this response contains the token's value. */
export async function createApiToken(
  context: Context,
  { name, right, role, ...caps }: CreateInput<typeof ApiToken>,
): Promise<ApiTokenRow> {
  const { caller, accountId, services } = context
  if (!isUser(caller)) throw new ApiError('permission_denied', 'A token acts for a person, so a person must create it.')
  if (role) requireCover(caller, role)
  await requireFewer(rowsOf(context, 'api_tokens'), MOST_TOKENS, 'API tokens')
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
    caps: await capsGiven(context, caps),
    last_four: value.slice(-4),
    // Like `last_used_at`, this is real time even if the account has its own clock.
    created_at: context.realNow,
    last_used_at: null,
  })
  return Object.assign(await requireRow(context, ApiToken, id), { value })
}

async function capsGiven(
  context: Context,
  { credits_per_day, emails_per_day, refunds_per_day }: Partial<CreateInput<typeof ApiToken>>,
): Promise<string | null> {
  const { default_currency } = await currentAccount(context)
  return writeCaps({ credits: credits_per_day, emails: emails_per_day, refunds: refunds_per_day }, default_currency)
}

export async function deleteApiToken(context: Context, id: string): Promise<void> {
  await deleteRow(context, ApiToken, await requireVisible(context, ApiToken, id))
  await endWorkOf(context, [id])
}
