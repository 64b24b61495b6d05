import type { NetworkEntry } from './network.ts'
import { PlatformRefusedError, type SocialProvider } from './provider.ts'

/** Serves accounts that were connected before a setting of their network was removed: it refuses, and names the setting. */
export function unsetProvider({ name, platforms, settings }: NetworkEntry): SocialProvider {
  const refuse = async (): Promise<never> => {
    throw new PlatformRefusedError(`This network is not set up on this service: it needs ${settings.join(' and ')}.`)
  }
  return { name, platforms, simulation: null, connect: refuse, publish: refuse, sync: refuse, comment: refuse }
}
