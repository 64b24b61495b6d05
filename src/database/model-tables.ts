/** The model that an account brings itself. */
interface OwnModelRow {
  account_id: string
  id: string
  provider: 'anthropic' | 'openai-compatible'
  model_id: string
  base_url: string | null
  /** Encrypted; null where the model needs no key. */
  sealed_key: string | null
  tokens_per_day: number
  updated_at: string
}

/** What is kept of the models that accounts ask. */
export interface ModelTables {
  own_models: OwnModelRow
  /** Tokens of a day: of the model of the service, and of the account's own. */
  model_tokens: { account_id: string; day: string; tokens: number; own_tokens: number }
}
