import { invalid } from '../../../contract/declarations/errors.ts'
import { integer, oneOf, text, webAddress } from '../../../contract/declarations/kinds.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { addressProblem, type WebClient } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { MODEL_KEY, type OwnModelRow, ownModel } from '../../company/account/model-allowance.ts'
import { Done, done } from '../done.ts'

const OWN_MODEL = {
  provider: oneOf(
    ['anthropic', 'openai-compatible'],
    'anthropic: the Messages API of Anthropic; openai-compatible: the Chat Completions API, which most other models have',
  ).required(),
  model_id: text('Name of the model, as its provider has it', { max: 200, example: 'claude-sonnet' }).required(),
  base_url: webAddress('URL of the model’s API, without /messages or /chat/completions', 'https://api.example.com/v1')
    .nullable('the address of the provider')
    .default(null),
  api_key: text('Key of the provider; absent: the present one, if provider and base_url stay', {
    max: 1000,
    pattern: /^[!-~]+$/,
    says: 'must be visible ASCII characters without spaces',
    example: 'sk-…',
  })
    .secret()
    .optional(),
  tokens_per_day: integer('Tokens that the account’s own model may take in a day (UTC), read and written', {
    min: 1,
    max: 1_000_000_000,
    example: 2_000_000,
  }).default(2_000_000),
}
type Input = InputOf<typeof OWN_MODEL>

/** Calling a model costs money, so only signed-in people may change these settings. */
const BY_ADMINS = { callers: ['session'], right: 'settings.write', path: '/model_settings', answers: Done } as const

export const modelChanges = resource(Done, {
  dashboard: [
    custom({
      ...BY_ADMINS,
      id: 'set_own_model',
      method: 'PATCH',
      summary: 'Set the account’s own model',
      body: OWN_MODEL,
      inTurn: true,
      rule: (context, { input }) => done(setOwnModel(context, input)),
    }),
    custom({
      ...BY_ADMINS,
      id: 'remove_own_model',
      method: 'DELETE',
      summary: 'Forget the account’s own model and its key',
      rule: (context) => done(deleteRowsOf(context, 'own_models').execute()),
    }),
  ],
})

async function setOwnModel(context: Context, input: Input): Promise<void> {
  const before = await ownModel(context)
  const { provider, model_id, base_url, tokens_per_day } = input
  requireAddress(context.services.web.models, input)
  const sealed_key = keyOf(context, input, before)
  if (provider === 'anthropic' && sealed_key === null && base_url === null)
    throw invalid({ api_key: ["can't be blank: the provider’s own address needs a key"] })
  await deleteRowsOf(context, 'own_models').execute()
  const row = { provider, model_id, base_url, tokens_per_day, sealed_key, updated_at: context.realNow }
  const owned = { account_id: context.accountId, id: newId('model') }
  await context.db
    .insertInto('own_models')
    .values({ ...owned, ...row })
    .execute()
}

/** Throws a 422 for a malformed or forbidden URL. The host is resolved and checked only when the model is called. */
function requireAddress(web: WebClient, { provider, base_url }: Input): void {
  if (base_url === null) {
    if (provider !== 'anthropic') throw invalid({ base_url: ["can't be blank for this provider"] })
    return
  }
  if (/[?#]/.test(base_url)) throw invalid({ base_url: ['must not have a query or a fragment'] })
  const problem = addressProblem(web, base_url)
  if (problem !== null) throw invalid({ base_url: [problem] })
}

/** Encrypts the given key. Without one, keeps the stored key if provider and URL are unchanged, and throws a 422 otherwise. */
function keyOf({ services }: Context, { api_key, ...input }: Input, before: OwnModelRow | undefined): string | null {
  if (api_key !== undefined) return services.vault.seal(MODEL_KEY, api_key)
  if (!before || before.sealed_key === null) return null
  if (before.provider === input.provider && before.base_url === input.base_url) return before.sealed_key
  throw invalid({ api_key: ['must be entered again, because the provider or the URL is another'] })
}
