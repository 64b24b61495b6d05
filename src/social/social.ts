import type { Social, SocialProvider } from './provider.ts'
import { sandboxProvider } from './sandbox.ts'

/** The adapters that there are. One for a real platform is a file of this folder, and goes before the sandbox here. */
const PROVIDERS: readonly SocialProvider[] = [sandboxProvider]

export function createSocial(): Social {
  return {
    providerFor: ({ test }) => (test ? sandboxProvider : PROVIDERS[0]!),
    named(name) {
      const provider = PROVIDERS.find((one) => one.name === name)
      if (!provider) throw new Error(`The social adapter ${name} is not set up.`)
      return provider
    },
  }
}
