import type { Models } from '../../../providers/models/provider.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'

export type OwnModelRow = Tables['own_models']
type ModelContext = Pick<Context, 'db' | 'accountId' | 'services'>

/** The purpose for which the vault encrypts the API keys of accounts' own models. */
export const MODEL_KEY = 'model_key'

export interface AccountModel {
  models: Models
  /** Null when the account uses the service's model. */
  own: { tokensPerDay: number } | null
}

export function ownModel(context: ModelContext): Promise<OwnModelRow | undefined> {
  return rowsOf(context, 'own_models').selectAll().executeTakeFirst()
}

/** Returns whether the account or the service has a model. */
export async function hasModel(context: ModelContext): Promise<boolean> {
  return context.services.models.service !== null || (await ownModel(context)) !== undefined
}

export async function modelOf(context: ModelContext): Promise<AccountModel | null> {
  const { models, vault } = context.services
  const own = await ownModel(context)
  if (!own) return models.service && { models: models.service, own: null }
  const { provider, model_id: modelId, base_url: baseUrl, sealed_key, tokens_per_day: tokensPerDay } = own
  const apiKey = sealed_key === null ? null : vault.open(MODEL_KEY, sealed_key)
  return { models: models.own({ provider, modelId, baseUrl, apiKey }), own: { tokensPerDay } }
}
