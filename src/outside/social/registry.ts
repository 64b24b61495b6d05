import type { Social, SocialProvider } from './provider.ts'
import { guarded } from './simulated/guarded.ts'
import { sandboxProvider } from './simulated/simulated.ts'

interface Options {
  /** The sandbox serves live accounts too. */
  pretending: boolean
}

/** The adapters that there are. One for a real platform is a file of this folder, and goes before the sandbox here. */
export function createSocial({ pretending }: Options): Social {
  const sandbox = pretending ? sandboxProvider : guarded(sandboxProvider)
  const providers: readonly SocialProvider[] = [sandbox]
  const [live] = providers.filter((provider) => pretending || !provider.sandbox)
  return {
    providerFor: ({ test }) => (test ? sandbox : (live ?? null)),
    named(name) {
      const provider = providers.find((one) => one.name === name)
      if (!provider) throw new Error(`The social adapter ${name} is not set up.`)
      return provider
    },
  }
}
