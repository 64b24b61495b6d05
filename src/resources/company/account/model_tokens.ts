import { ApiError } from '../../../contract/declarations/errors.ts'
import type { ModelUse } from '../../../outside/models/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import { formatNumber } from '../../../words/numbers.ts'
import type { AccountModel } from './own_model.ts'

type Place = Pick<Context, 'db' | 'accountId' | 'realNow' | 'services'>

/** Tokens that the account has used today, of the service's model and of its own. Days are those of UTC, in real time. */
export async function tokensOfToday(context: Place): Promise<{ service: number; own: number }> {
  const row = rowsOf(context, 'model_tokens').select(['tokens', 'own_tokens']).where('day', '=', dayOf(context))
  const { tokens = 0, own_tokens = 0 } = (await row.executeTakeFirst()) ?? {}
  return { service: Number(tokens), own: Number(own_tokens) }
}

/** Throws `rate_limit_exceeded` when the account may not ask this model any more today. */
export async function requireTokensLeft(context: Place, { own }: AccountModel): Promise<void> {
  const used = await tokensOfToday(context)
  const most = own?.tokensPerDay ?? context.services.modelTokensPerDay
  if ((own ? used.own : used.service) < most) return
  const more = own ? ' An admin can raise the number under Settings, Model.' : ''
  throw new ApiError(
    'rate_limit_exceeded',
    `This account has used the ${formatNumber(most)} model tokens that it has in a day. Try again tomorrow.${more}`,
  )
}

/** Counts what a conversation with this model has taken. Earlier days are forgotten. */
export async function countTokens(
  context: Place,
  { own }: Pick<AccountModel, 'own'>,
  { inputTokens, outputTokens }: ModelUse,
): Promise<void> {
  const day = dayOf(context)
  const taken = inputTokens + outputTokens
  if (taken === 0) return
  await deleteRowsOf(context, 'model_tokens').where('day', '<', day).execute()
  const counted = own ? { tokens: 0, own_tokens: taken } : { tokens: taken, own_tokens: 0 }
  await context.db
    .insertInto('model_tokens')
    .values({ account_id: context.accountId, day, ...counted })
    .onConflict((present) =>
      present.columns(['account_id', 'day']).doUpdateSet(({ eb, ref }) => ({
        tokens: eb(ref('model_tokens.tokens'), '+', counted.tokens),
        own_tokens: eb(ref('model_tokens.own_tokens'), '+', counted.own_tokens),
      })),
    )
    .execute()
}

function dayOf({ realNow }: Pick<Context, 'realNow'>): string {
  return realNow.slice(0, 10)
}
