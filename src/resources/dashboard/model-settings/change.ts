import { invalid } from '../../../contract/declarations/errors.ts'
import type { AnswerOf, InputOf } from '../../../contract/declarations/noun.ts'
import { newId } from '../../../contract/values/ids.ts'
import { AddressRefusedError, type WebClient } from '../../../providers/web/client.ts'
import type { Context } from '../../../records/context.ts'
import { deleteRowsOf } from '../../../records/rows-of.ts'
import { MODEL_KEY, type OwnModelRow, ownModel, tokensOfToday } from '../../company/account/model-allowance.ts'
import type { ModelSettings, OWN_MODEL } from './model-settings.ts'

type Input = InputOf<typeof OWN_MODEL>

export async function setOwnModel(
  context: Context,
  { input }: { input: Input },
): Promise<AnswerOf<typeof ModelSettings>> {
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
  return showModelSettings(context)
}

/** Deletes the account's model and its key. The account then uses the service's model, if there is one. */
export async function removeOwnModel(context: Context): Promise<AnswerOf<typeof ModelSettings>> {
  await deleteRowsOf(context, 'own_models').execute()
  return showModelSettings(context)
}

/** Throws a 422 for a malformed or forbidden URL. The host is resolved and checked only when the model is called. */
function requireAddress(web: WebClient, { provider, base_url }: Input): void {
  if (base_url === null) {
    if (provider !== 'anthropic') throw invalid({ base_url: ["can't be blank for this provider"] })
    return
  }
  if (/[?#]/.test(base_url)) throw invalid({ base_url: ['must not have a query or a fragment'] })
  try {
    web.checkForm(base_url)
  } catch (error) {
    throw error instanceof AddressRefusedError ? invalid({ base_url: [error.message] }) : error
  }
}

/** Encrypts the given key. Without one, keeps the stored key if provider and URL are unchanged, and throws a 422 otherwise. */
function keyOf({ services }: Context, { api_key, ...input }: Input, before: OwnModelRow | undefined): string | null {
  if (api_key !== undefined) return services.vault.seal(MODEL_KEY, api_key)
  if (!before || before.sealed_key === null) return null
  if (before.provider === input.provider && before.base_url === input.base_url) return before.sealed_key
  throw invalid({ api_key: ['must be entered again, because the provider or the URL is another'] })
}

/** Never contains the model's key. */
export async function showModelSettings(context: Context): Promise<AnswerOf<typeof ModelSettings>> {
  const own = await ownModel(context)
  const { models, modelTokensPerCredit } = context.services
  const today = await tokensOfToday(context)
  return {
    used: own ? 'own' : models.service ? 'service' : 'none',
    provider: own?.provider ?? null,
    model_id: own?.model_id ?? null,
    base_url: own?.base_url ?? null,
    has_key: own !== undefined && own.sealed_key !== null,
    tokens_per_day: own?.tokens_per_day ?? null,
    tokens_today: today.own,
    service_tokens_today: today.service,
    tokens_per_credit: modelTokensPerCredit,
  }
}
