import { flag, integer, oneOf, text, webAddress } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

const PROVIDER = oneOf(
  ['anthropic', 'openai-compatible'],
  'anthropic: the Messages API of Anthropic; openai-compatible: the Chat Completions API, which most other models have',
)
const MODEL_ID = text('Name of the model, as its provider has it', { max: 200, example: 'claude-sonnet' })
const BASE_URL = webAddress(
  'URL of the model’s API, without /messages or /chat/completions',
  'https://api.example.com/v1',
)
const TOKENS_PER_DAY = integer('Tokens that the account’s own model may take in a day (UTC), read and written', {
  min: 1,
  max: 1_000_000_000,
  example: 2_000_000,
})
const NOT_OWN = 'the account has no model of its own'

export const ModelSettings = answerNoun('model_settings', {
  group: 'Account',
  area: 'settings',
  description: 'The model that carries out prompts in plain words and answers questions.',
  fields: {
    used: oneOf(
      ['own', 'service', 'none'],
      'own: the account’s own; service: that of the service; none: no model is set up',
    ),
    provider: PROVIDER.nullable(NOT_OWN),
    model_id: MODEL_ID.nullable(NOT_OWN),
    base_url: BASE_URL.nullable('the address of the provider'),
    has_key: flag('Whether a key is stored; it is never shown', true),
    tokens_per_day: TOKENS_PER_DAY.nullable(NOT_OWN),
    tokens_today: integer('Tokens that the account’s own model has taken today', { min: 0, example: 0 }),
    service_tokens_today: integer('Tokens that the model of the service has taken today', { min: 0, example: 0 }),
    tokens_per_credit: integer('Tokens of the service’s model that one credit pays for; 0: they cost none', {
      min: 0,
      example: 10_000,
    }),
  },
})

export const OWN_MODEL = {
  provider: PROVIDER.required(),
  model_id: MODEL_ID.required(),
  base_url: BASE_URL.nullable('the address of the provider').default(null),
  api_key: text('Key of the provider; absent: the present one, if provider and base_url stay', {
    max: 1000,
    pattern: /^[!-~]+$/,
    says: 'must be visible ASCII characters without spaces',
    example: 'sk-…',
  })
    .secret()
    .optional(),
  tokens_per_day: TOKENS_PER_DAY.default(2_000_000),
}
