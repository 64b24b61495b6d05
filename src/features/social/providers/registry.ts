import { randomBytes } from 'node:crypto'
import { atProtocolProvider } from './at-protocol/at-protocol.ts'
import { fediverseProvider } from './fediverse/fediverse.ts'
import { linkedIn } from './linked-in/linked-in.ts'
import { facebookNetwork } from './meta-graph/facebook/facebook.ts'
import { instagramNetwork } from './meta-graph/instagram/instagram.ts'
import { threadsNetwork } from './meta-graph/threads/threads.ts'
import type { NetworkEntry, NetworkParts } from './network.ts'
import { pinterestNetwork } from './pinterest-network/pinterest-network.ts'
import { type Login, PlatformRefusedError, type SetUp, type Social, type SocialProvider } from './provider.ts'
import { simulatedProvider } from './simulated/simulated.ts'
import { tiktokNetwork } from './tiktok-network/tiktok-network.ts'
import { xNetwork } from './x-network/x-network.ts'
import { youtubeNetwork } from './youtube-network/youtube-network.ts'

const NOT_SET_UP = 'This account is simulated, and this service simulates networks for test accounts only.'

type SocialSettings = Readonly<Record<string, unknown>>

interface Options extends Pick<NetworkParts, 'web'>, Partial<Pick<NetworkParts, 'domains' | 'secretOf'>> {
  /** Whether simulated platforms also serve live accounts, so that no network is reached. */
  pretending: boolean
  settings?: SocialSettings
  /** Maps a network's URL to that of a local server in tests; by default, URLs stay unchanged. */
  addressOf?: NetworkParts['addressOf']
}

/** All networks with their platforms and settings. A platform is served by the first network that lists it. */
const NETWORKS: readonly NetworkEntry[] = [
  {
    ...{ name: 'at-protocol', platforms: ['bluesky'], steps: [], open: atProtocolProvider },
    ...{ settings: [], optional: ['PLC_DIRECTORY_URL'] },
  },
  { name: 'fediverse', platforms: ['mastodon'], settings: [], steps: [], open: ({ web }) => fediverseProvider(web) },
  xNetwork,
  linkedIn,
  facebookNetwork,
  instagramNetwork,
  threadsNetwork,
  youtubeNetwork,
  tiktokNetwork,
  pinterestNetwork,
]

/** The defaults of callers that have no database: handles are not resolved, and secrets are random. */
const WITHOUT: Pick<NetworkParts, 'domains' | 'secretOf'> = {
  domains: { texts: async () => [] },
  secretOf: () => randomBytes(32),
}

export function createSocial(
  { pretending, settings = {}, addressOf = (address) => address, ...more }: Options,
  networks: readonly NetworkEntry[] = NETWORKS,
): Social {
  const simulated = pretending ? simulatedProvider : forTestAccounts(simulatedProvider)
  const opened = networks.flatMap((one) => openIfSet(one, { ...WITHOUT, ...more, settings, addressOf }) ?? [])
  const all = [...opened, ...networks.map(unsetProvider), simulated]
  const live = pretending ? [simulated] : opened
  return {
    providerFor: ({ platform, test }) => (test ? simulated : (live.find((one) => serves(one, platform)) ?? null)),
    named(name) {
      const provider = all.find((one) => one.name === name)
      if (!provider) throw new Error(`The social adapter ${name} is not set up.`)
      return provider
    },
    apiVersions: opened.flatMap(({ platforms, apiVersion }) =>
      apiVersion && platforms !== 'all' ? platforms.map((platform) => ({ platform, version: apiVersion.version })) : [],
    ),
    setUpOf: (platform) => setUpIn(networks, platform),
  }
}

function openIfSet(
  { name: network, platforms, settings: needed, optional = [], open }: NetworkEntry,
  { settings, ...parts }: Omit<NetworkParts, 'settings'> & { settings: SocialSettings },
): SocialProvider | null {
  const given: Record<string, string> = {}
  for (const name of [...needed, ...optional]) {
    const value = settings[name]
    if (typeof value === 'string' && value !== '') given[name] = value
    else if (needed.includes(name)) return null
  }
  return { name: network, platforms, simulation: null, ...open({ ...parts, settings: given }) }
}

function setUpIn(networks: readonly NetworkEntry[], platform: string): SetUp | null {
  const network = networks.find(({ platforms }) => platforms.includes(platform))
  return network ? { settings: network.settings, steps: network.steps } : null
}

function serves({ platforms }: SocialProvider, platform: string): boolean {
  return platforms === 'all' || platforms.includes(platform)
}

/** Restricts the simulated provider to test accounts. It refuses live accounts that were connected while it served them. */
function forTestAccounts(simulated: SocialProvider): SocialProvider {
  const allowed =
    <Request extends { login: Login }, Answer>(ask: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      if (!request.login.test) throw new PlatformRefusedError(NOT_SET_UP, { expired: true })
      return ask(request)
    }
  return {
    name: simulated.name,
    platforms: simulated.platforms,
    simulation: simulated.simulation,
    connect: allowed((request) => simulated.connect(request)),
    publish: allowed((request) => simulated.publish(request)),
    sync: allowed((request) => simulated.sync(request)),
    comment: allowed((request) => simulated.comment(request)),
  }
}

/** Returns a provider that refuses all requests, for accounts that were connected before a setting of their network was removed. */
function unsetProvider({ name, platforms }: NetworkEntry): SocialProvider {
  const refuse = async (): Promise<never> => {
    throw new PlatformRefusedError('This service is no longer set up for the network. Ask whoever runs it.')
  }
  return { name, platforms, simulation: null, connect: refuse, publish: refuse, sync: refuse, comment: refuse }
}
