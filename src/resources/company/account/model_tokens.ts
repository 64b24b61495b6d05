import type { ModelUse } from '../../../outside/models/provider.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import { formatNumber } from '../../../words/numbers.ts'

type Place = Pick<Context, 'db' | 'accountId' | 'realNow' | 'services'>

/** Why the account may not ask the model today; null while it has tokens left. Days are those of UTC, in real time. */
export async function tokensSpent(context: Place): Promise<string | null> {
  const most = context.services.modelTokensPerDay
  const row = rowsOf(context, 'model_tokens').select('tokens').where('day', '=', dayOf(context))
  const { tokens = 0 } = (await row.executeTakeFirst()) ?? {}
  if (Number(tokens) < most) return null
  return `This account has used the ${formatNumber(most)} model tokens that it has in a day. Try again tomorrow.`
}

/** Counts what a conversation with the model has cost. Earlier days are forgotten. */
export async function countTokens(context: Place, { inputTokens, outputTokens }: ModelUse): Promise<void> {
  const day = dayOf(context)
  const tokens = inputTokens + outputTokens
  if (tokens === 0) return
  await deleteRowsOf(context, 'model_tokens').where('day', '<', day).execute()
  await context.db
    .insertInto('model_tokens')
    .values({ account_id: context.accountId, day, tokens })
    .onConflict((taken) =>
      taken
        .columns(['account_id', 'day'])
        .doUpdateSet(({ eb, ref }) => ({ tokens: eb(ref('model_tokens.tokens'), '+', tokens) })),
    )
    .execute()
}

function dayOf({ realNow }: Pick<Context, 'realNow'>): string {
  return realNow.slice(0, 10)
}
