/** The account's own model for its tasks, in place of the service's. */
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
  /** The number of tokens used per day. `tokens` is for the service's model, `own_tokens` for the account's own model. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}
