import type { WebClient } from '../web/client.ts'
import { atProtocolProvider } from './at-protocol/at-protocol.ts'
import { fediverseProvider } from './fediverse/fediverse.ts'
import type { Social, SocialProvider } from './provider.ts'
import { guarded } from './simulated/guarded.ts'
import { simulatedProvider } from './simulated/simulated.ts'

interface Options {
  /** The simulated platforms serve live accounts too: nothing reaches a network then. */
  pretending: boolean
  /** The way to addresses that accounts name. */
  web: WebClient
}

/** Adapters of real platforms. A platform belongs to the first one that names it. */
function adaptersOn(web: WebClient): readonly SocialProvider[] {
  return [atProtocolProvider(web), fediverseProvider(web)]
}

/** The adapters that there are, by the platforms that they serve. */
export function createSocial({ pretending, web }: Options, adapters = adaptersOn(web)): Social {
  const simulated = pretending ? simulatedProvider : guarded(simulatedProvider)
  const all = [...adapters, simulated]
  const live = pretending ? [simulated] : adapters
  return {
    providerFor: ({ platform, test }) => (test ? simulated : (live.find((one) => serves(one, platform)) ?? null)),
    named(name) {
      const provider = all.find((one) => one.name === name)
      if (!provider) throw new Error(`The social adapter ${name} is not set up.`)
      return provider
    },
  }
}

function serves({ platforms }: SocialProvider, platform: string): boolean {
  return platforms === 'all' || platforms.includes(platform)
}
