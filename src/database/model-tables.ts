/** The account's own model for its tasks, which replaces the service's model. */
interface OwnModelRow {
  account_id: string
  id: string
  provider: 'anthropic' | 'openai-compatible'
  model_id: string
  base_url: string | null
  sealed_key: string | null
  tokens_per_day: number
  updated_at: string
}

export interface ModelTables {
  own_models: OwnModelRow
  /** `tokens` are those of the service's model, `own_tokens` those of the account's own model. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}
