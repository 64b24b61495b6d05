import type { Context } from '../../../records/context.ts'
import { tokensOfToday } from '../../company/account/model_allowance.ts'
import { ownModel } from '../../company/account/own_model.ts'

/** Which model the account asks. Its key is never shown. */
export async function showModelSettings(context: Context): Promise<object> {
  const own = await ownModel(context)
  const { models, modelTokensPerCredit } = context.services
  const today = await tokensOfToday(context)
  return {
    used: own ? 'own' : models.service ? 'service' : 'none',
    provider: own?.provider ?? null,
    model_id: own?.model_id ?? null,
    base_url: own?.base_url ?? null,
    has_key: own !== undefined && own.sealed_key !== null,
    tokens_per_day: own?.tokens_per_day ?? null,
    tokens_today: today.own,
    service_tokens_today: today.service,
    tokens_per_credit: modelTokensPerCredit,
  }
}
