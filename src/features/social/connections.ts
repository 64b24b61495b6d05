import { listed } from '../../format/lists.ts'
import type { Context } from '../../records/context.ts'
import { type Connected, OF_TEST_ACCOUNTS } from '../../resources/dashboard/service-connections.ts'
import type { ApiVersion } from './providers/provider.ts'
import { stepsOf } from './resources/social-account/connect.ts'
import { platformsWithEndedVersion } from './resources/social-account/version-ended.ts'
import { PLATFORMS } from './resources/social-platform/platforms.ts'

const NOT_SET_UP = 'It needs an app that whoever runs the service registers at the network.'

/**
 * Returns one entry for each state, with the names of all networks in it. A network that can be set up or is outdated has an
 * entry of its own.
 */
export async function networkConnections(context: Context): Promise<Connected[]> {
  const { services, test } = context
  const named = PLATFORMS.map(({ platform, name }) => ({
    ...{ platform, name },
    provider: services.social.providerFor({ platform, test }),
  }))
  const ended = await platformsWithEndedVersion(context)
  const outdated = named.filter(({ platform }) => ended.has(platform))
  const ready = named.filter(
    ({ platform, provider }) => provider !== null && provider.simulation === null && !ended.has(platform),
  )
  const simulated = named.filter(({ provider }) => provider !== null && provider.simulation !== null)
  const missing = named.filter(({ provider }) => provider === null)
  const canBeSet = missing.filter(({ platform }) => services.social.setUpOf(platform) !== null)
  const cannot = missing.filter((one) => !canBeSet.includes(one))
  const line = (
    some: typeof named,
    state: Connected['state'],
    words: string,
    for_operator: string[] = [],
  ): Connected[] =>
    some.length === 0 ? [] : [{ what: listed(some.map(({ name }) => name)), state, words, set_up: [], for_operator }]
  return [
    ...outdated.map(({ name, provider }) => outdatedLine(name, provider?.apiVersion)),
    ...line(ready, 'ready', 'Posts are published on the network.'),
    ...line(
      simulated,
      'simulated',
      test ? OF_TEST_ACCOUNTS : 'Posts stay on this service, and comments and figures are invented.',
      test ? [] : ['Turn SIMULATED_PROVIDERS off, and connect a social account.'],
    ),
    ...canBeSet.flatMap((one) => line([one], 'missing', NOT_SET_UP, stepsOf(context, one.platform))),
    ...line(cannot, 'missing', 'These networks cannot be connected yet.'),
  ]
}

function outdatedLine(what: string, { version = '', setting = '' }: Partial<ApiVersion> = {}): Connected {
  return {
    ...{ what, state: 'outdated' },
    words: `${what} no longer takes version ${version} of its API, so posts wait.`,
    set_up: [],
    for_operator: [
      `Install a newer release, or set ${setting} to a version that ${what} takes, and restart the service.`,
    ],
  }
}
