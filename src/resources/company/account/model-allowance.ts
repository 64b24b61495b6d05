import { ApiError } from '../../../contract/declarations/errors.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Models, ModelUse } from '../../../providers/models/provider.ts'
import type { Context } from '../../../records/context.ts'
import { leftOfCaps } from '../../../records/daily-caps.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'
import { balanceOf, type Reservation, reserveCredits, settleCredits } from './credits.ts'

const NO_MODEL =
  'No model is set up. An admin can connect one with a key of your own under Settings, Model, or you can ask whoever runs this service for one. Until then, programs in the playground answer questions.'
const NO_CREDITS =
  'The account has no credits left, and the model of the service costs credits. The operator can add some, or an admin can set a model of the account’s own under Settings, Model.'

/** The tokens that a conversation with a model may use until `settleTokens` is called. */
export interface Allowance extends AccountModel {
  tokens: number
  /** The credits reserved for the tokens; null when the tokens are free. */
  reservation: Reservation | null
}

interface AllowanceRequest {
  most: number
  reason: 'task_run' | 'question'
  reference?: string
  /** The tokens with daily caps for which the credits count; those of the caller if absent. */
  capped?: readonly string[]
}

/**
 * Reserves credits for a conversation of at most `most` tokens, or fewer when the balance is low. Throws `invalid_state` without a model,
 * `rate_limit_exceeded` and `insufficient_credits`. Commit the transaction before calling the model.
 */
export async function allowTokens(context: Context, { most, ...purpose }: AllowanceRequest): Promise<Allowance> {
  const model = await modelOf(context)
  if (!model) throw new ApiError('invalid_state', NO_MODEL)
  await requireTokensLeft(context, model)
  const perCredit = context.services.modelTokensPerCredit
  if (model.own !== null || perCredit === 0) return { ...model, tokens: most, reservation: null }
  const affordable = Math.min(Math.ceil(most / perCredit), await balanceOf(context))
  // If a daily cap is used up, one credit is requested, so that the refusal names the cap.
  const credits = Math.min(affordable, Math.max(1, await leftOfCaps(context, 'credits', purpose.capped)))
  if (credits === 0) throw new ApiError('insufficient_credits', NO_CREDITS)
  const reservation = await reserveCredits(context, { ...purpose, credits })
  return { ...model, tokens: Math.min(most, credits * perCredit), reservation }
}

/** Records the tokens that a conversation used and charges its reservation for them, rounded up to whole credits. */
export async function settleTokens(
  context: Context,
  { own, tokens, reservation }: Omit<Allowance, 'models'>,
  use: ModelUse,
): Promise<void> {
  await countTokens(context, { own }, use)
  if (!reservation) return
  const taken = Math.min(use.inputTokens + use.outputTokens, tokens)
  await settleCredits(context, reservation, Math.ceil(taken / context.services.modelTokensPerCredit))
}

type TokenCountContext = Pick<Context, 'db' | 'accountId' | 'realNow' | 'services'>

/** Returns the tokens used on this UTC day, in real time: those of the service's model and those of the account's own. */
export async function tokensOfToday(context: TokenCountContext): Promise<{ service: number; own: number }> {
  const row = rowsOf(context, 'model_tokens').select(['tokens', 'own_tokens']).where('day', '=', dayOf(context))
  const { tokens = 0, own_tokens = 0 } = (await row.executeTakeFirst()) ?? {}
  return { service: tokens, own: own_tokens }
}

async function requireTokensLeft(context: TokenCountContext, { own }: AccountModel): Promise<void> {
  const used = await tokensOfToday(context)
  const most = own?.tokensPerDay ?? context.services.modelTokensPerDay
  if ((own ? used.own : used.service) < most) return
  const more = own ? ' An admin can raise the number under Settings, Model.' : ''
  throw new ApiError(
    'rate_limit_exceeded',
    `This account has used the ${formatNumber(most)} model tokens that it has in a day. Try again tomorrow.${more}`,
  )
}

async function countTokens(
  context: TokenCountContext,
  { own }: Pick<AccountModel, 'own'>,
  { inputTokens, outputTokens }: ModelUse,
): Promise<void> {
  const day = dayOf(context)
  const taken = inputTokens + outputTokens
  if (taken === 0) return
  await deleteRowsOf(context, 'model_tokens').where('day', '<', day).execute()
  const counted = own ? { tokens: 0, own_tokens: taken } : { tokens: taken, own_tokens: 0 }
  await context.db
    .insertInto('model_tokens')
    .values({ account_id: context.accountId, day, ...counted })
    .onConflict((present) =>
      present.columns(['account_id', 'day']).doUpdateSet(({ eb, ref }) => ({
        tokens: eb(ref('model_tokens.tokens'), '+', counted.tokens),
        own_tokens: eb(ref('model_tokens.own_tokens'), '+', counted.own_tokens),
      })),
    )
    .execute()
}

function dayOf({ realNow }: Pick<Context, 'realNow'>): string {
  return realNow.slice(0, 10)
}

export type OwnModelRow = Tables['own_models']
type ModelContext = Pick<Context, 'db' | 'accountId' | 'services'>

/** The purpose for which the vault encrypts the API keys of accounts' own models. */
export const MODEL_KEY = 'model_key'

interface AccountModel {
  models: Models
  /** Null when the account uses the service's model. */
  own: { tokensPerDay: number } | null
}

export function ownModel(context: ModelContext): Promise<OwnModelRow | undefined> {
  return rowsOf(context, 'own_models').selectAll().executeTakeFirst()
}

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
