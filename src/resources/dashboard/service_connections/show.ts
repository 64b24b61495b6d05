import type { Context } from '../../../records/context.ts'
import { listed } from '../../../words/lists.ts'
import { stepsOf } from '../../social/social_account/platform_set_up.ts'
import { PLATFORMS } from '../../social/social_platform/platforms.ts'
import { showPaymentSettings } from '../payment_settings/show.ts'
import type { Connected } from './service_connections.ts'

const NOT_SET_UP = 'It needs an app that whoever runs the service registers at the network.'
const OF_TEST_ACCOUNTS = 'This is a test account, so nothing leaves the service.'

/** What reaches outside for this account, by what the providers say of themselves. */
export async function showConnections(context: Context): Promise<object> {
  return { connections: [await payments(context), mail(context), ...networks(context), model(context)] }
}

async function payments(context: Context): Promise<Connected> {
  const { takes_real_money: live, reason, missing } = await showPaymentSettings(context)
  return { what: 'Payments', state: live ? 'ready' : 'simulated', words: reason, set_up: missing }
}

function mail({ services, test }: Context): Connected {
  const { sends, reason } = services.mail.providerFor({ test })
  return { what: 'E-mail', state: sends ? 'ready' : 'simulated', words: test ? OF_TEST_ACCOUNTS : reason, set_up: [] }
}

/** Networks in the same state are one line; one that can be set up has a line of its own. */
function networks(context: Context): Connected[] {
  const { services, test } = context
  const named = PLATFORMS.map(({ platform, name }) => ({
    ...{ platform, name },
    provider: services.social.providerFor({ platform, test }),
  }))
  const ready = named.filter(({ provider }) => provider !== null && provider.simulation === null)
  const simulated = named.filter(({ provider }) => provider !== null && provider.simulation !== null)
  const missing = named.filter(({ provider }) => provider === null)
  const canBeSet = missing.filter(({ platform }) => services.social.setUpOf(platform) !== null)
  const cannot = missing.filter((one) => !canBeSet.includes(one))
  const line = (some: typeof named, state: Connected['state'], words: string, set_up: string[] = []): Connected[] =>
    some.length === 0 ? [] : [{ what: listed(some.map(({ name }) => name)), state, words, set_up }]
  return [
    ...line(ready, 'ready', 'Posts are published on the network.'),
    ...line(
      simulated,
      'simulated',
      test ? OF_TEST_ACCOUNTS : 'Posts stay on this service, and comments and figures are invented.',
      test ? [] : ['Turn SANDBOX_PROVIDERS off, and connect a social account.'],
    ),
    ...canBeSet.flatMap((one) => line([one], 'missing', NOT_SET_UP, stepsOf(context, one.platform))),
    ...line(cannot, 'missing', 'These networks cannot be connected yet.'),
  ]
}

function model({ services }: Context): Connected {
  const what = 'Model for tasks and questions'
  if (services.models) return { what, state: 'ready', words: 'It carries out prompts in plain words.', set_up: [] }
  const words = 'Prompts in plain words wait for an external agent, and questions cannot be asked.'
  return { what, state: 'missing', words, set_up: ['Set MODEL_PROVIDER, MODEL_ID and MODEL_API_KEY.'] }
}
