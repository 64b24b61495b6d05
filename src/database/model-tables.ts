/** The model for tasks that an account provides itself. */
interface OwnModelRow {
  account_id: string
  id: string
  provider: 'anthropic' | 'openai-compatible'
  model_id: string
  base_url: string | null
  /** Encrypted; null if the model needs no key. */
  sealed_key: string | null
  tokens_per_day: number
  updated_at: string
}

export interface ModelTables {
  own_models: OwnModelRow
  /** Tokens used per day. `tokens` counts the model of the service, `own_tokens` the account's own model. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}
