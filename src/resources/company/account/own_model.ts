import type { Models } from '../../../outside/models/provider.ts'
import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'

export type OwnModelRow = Tables['own_models']
type Place = Pick<Context, 'db' | 'accountId' | 'services'>

/** What the vault keeps the keys of accounts' own models for. */
export const MODEL_KEY = 'model_key'

/** The model that an account asks, and whose it is. */
export interface AccountModel {
  models: Models
  /** The account's own, with its bound of tokens a day; null for that of the service. */
  own: { tokensPerDay: number } | null
}

/** The model that the account brings itself, if it does. */
export function ownModel(context: Place): Promise<OwnModelRow | undefined> {
  return rowsOf(context, 'own_models').selectAll().executeTakeFirst()
}

/** Whether prompts in plain words are carried out for the account. */
export async function hasModel(context: Place): Promise<boolean> {
  return context.services.models.service !== null || (await ownModel(context)) !== undefined
}

/** The account's own model before that of the service; null where there is neither. */
export async function modelOf(context: Place): Promise<AccountModel | null> {
  const { models, vault } = context.services
  const own = await ownModel(context)
  if (!own) return models.service && { models: models.service, own: null }
  const { provider, model_id: modelId, base_url: baseUrl, sealed_key, tokens_per_day: tokensPerDay } = own
  const apiKey = sealed_key === null ? null : vault.open(MODEL_KEY, sealed_key)
  return { models: models.own({ provider, modelId, baseUrl, apiKey }), own: { tokensPerDay } }
}
