import { dashboardRead } from '../../../records/dashboard-read.ts'
import { ownModel, tokensOfToday } from '../../company/account/model-allowance.ts'

/** Shows the model that carries out prompts and answers questions, but never its key. */
export const modelSettings = dashboardRead('settings.read', async (context) => {
  const own = await ownModel(context)
  const { models, modelTokensPerCredit } = context.services
  const today = await tokensOfToday(context)
  return {
    used: own ? ('own' as const) : models.service ? ('service' as const) : ('none' as const),
    provider: own?.provider ?? null,
    model_id: own?.model_id ?? null,
    base_url: own?.base_url ?? null,
    has_key: own !== undefined && own.sealed_key !== null,
    tokens_per_day: own?.tokens_per_day ?? null,
    tokens_today: today.own,
    service_tokens_today: today.service,
    tokens_per_credit: modelTokensPerCredit,
  }
})
