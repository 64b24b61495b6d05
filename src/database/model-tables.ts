/** The account's own model for its tasks, which replaces the service's model. */
interface OwnModelRow {
  account_id: string
  id: string
  provider: 'anthropic' | 'openai-compatible'
  model_id: string
  base_url: string | null
  /** The encrypted API key; null if the model needs none. */
  sealed_key: string | null
  tokens_per_day: number
  updated_at: string
}

export interface ModelTables {
  own_models: OwnModelRow
  /** Tokens used per day: `tokens` of the service's model, `own_tokens` of the account's own model. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}
