import type { Social, SocialProvider } from './provider.ts'
import { guarded } from './simulated/guarded.ts'
import { simulatedProvider } from './simulated/simulated.ts'

/** Adapters of real platforms. A platform belongs to the first one that names it. */
const ADAPTERS: readonly SocialProvider[] = []

interface Options {
  /** The simulated platforms serve live accounts too, where no adapter does. */
  pretending: boolean
}

/** The adapters that there are, by the platforms that they serve. */
export function createSocial({ pretending }: Options, adapters = ADAPTERS): Social {
  const simulated = pretending ? simulatedProvider : guarded(simulatedProvider)
  const all = [...adapters, simulated]
  const live = pretending ? all : adapters
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
