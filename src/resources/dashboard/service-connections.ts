import { X402_CHAINS } from '../../contract/values/x402-chains.ts'
import type { Context } from '../../records/context.ts'
import { dashboardRead } from '../../records/dashboard-read.ts'
import { modelOf } from '../company/account/model-allowance.ts'
import { currentConfiguration, whyNotServed } from '../company/x402-configuration/requirements.ts'
import { paymentSettings } from './payment-settings/settings.ts'

const NOTHING_TO_DO = { set_up: [], for_operator: [] }
export const OF_TEST_ACCOUNTS = 'This is a test account, so nothing leaves the service.'

export interface Connected {
  /** The purpose of the connection. */
  what: string
  /** `simulated`: nothing leaves the service; `outdated`: the platform refuses the version of its API. */
  state: 'ready' | 'simulated' | 'missing' | 'outdated'
  /** One sentence about what works or does not work now. */
  words: string
  /** The steps that are left for the account's members until the connection is ready. */
  set_up: string[]
  /** The steps that are left for the operator of this service. */
  for_operator: string[]
}

/** Returns the external services of a feature, with their states. */
export type ShowConnected = (context: Context) => Promise<Connected[]>

/** Lists the external services that the account uses, with their states as reported by the providers. */
export const serviceConnections = dashboardRead('settings.read', async (context, ofFeatures: ShowConnected[]) => [
  await payments(context),
  await usdc(context),
  mail(context),
  ...(await Promise.all(ofFeatures.map((show) => show(context)))).flat(),
  await model(context),
])

async function payments(context: Context): Promise<Connected> {
  const { taken_by, takes_real_money: live, reason, missing } = await paymentSettings.rule(context)
  const state = live ? 'ready' : taken_by === 'nobody' ? 'missing' : 'simulated'
  const steps = taken_by === 'service' ? { set_up: [], for_operator: missing } : { set_up: missing, for_operator: [] }
  return { what: 'Payments', state, words: reason, ...steps }
}

/** Returns whether software clients can pay in USDC, and the settings that are still missing in the service or the account. */
async function usdc(context: Context): Promise<Connected> {
  const what = 'Payments in USDC by programs (x402)'
  const { x402, x402SetUp } = context.services.payments
  if (x402 === null)
    return { what, state: 'missing', words: 'Programs cannot pay.', set_up: [], for_operator: [...x402SetUp] }
  const { x402_enabled, x402_chain: chain } = await currentConfiguration(context)
  if (!x402_enabled || chain === null)
    return {
      what,
      state: 'missing',
      words: 'Programs cannot pay, because x402 is off.',
      set_up: [TURN_X402_ON],
      for_operator: [],
    }
  const { real, network } = X402_CHAINS[chain]
  const words = whyNotServed(context, chain)
  const for_operator = x402.serves(network) ? [] : [`Add a node of ${chain} to X402_RPC_URLS.`]
  if (words !== null) return { what, state: 'missing', words, set_up: [], for_operator }
  const worth = real ? '' : ' It is a test chain, so its dollars are worth nothing.'
  return { what, state: 'ready', words: `Programs pay straight to your wallet on ${chain}.${worth}`, ...NOTHING_TO_DO }
}

const TURN_X402_ON = 'Turn x402 on under Settings, with the address of your wallet.'

function mail({ services, test }: Context): Connected {
  const { sends, reason, setUp } = services.mail.providerFor({ test })
  const what = { what: 'E-mail', state: sends ? 'ready' : 'simulated' } as const
  if (test) return { ...what, words: OF_TEST_ACCOUNTS, ...NOTHING_TO_DO }
  return { ...what, words: reason, set_up: [], for_operator: setUp ? [setUp] : [] }
}

async function model(context: Context): Promise<Connected> {
  const what = 'Model for tasks and questions'
  const found = await modelOf(context)
  const whose = found?.own ? 'The account’s own model' : 'The model of the service'
  if (found) return { what, state: 'ready', words: `${whose} carries out prompts in plain words.`, ...NOTHING_TO_DO }
  const words = 'Prompts in plain words wait for an external agent, and questions cannot be asked.'
  return {
    what,
    state: 'missing',
    words,
    set_up: ['Set a model of your own under Settings, Model.'],
    for_operator: ['Set MODEL_PROVIDER, MODEL_ID and MODEL_API_KEY to set one for everybody.'],
  }
}
