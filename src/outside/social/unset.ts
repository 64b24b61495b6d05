import type { NetworkEntry } from './network.ts'
import { PlatformRefusedError, type SocialProvider } from './provider.ts'

/** Refuses for accounts that were connected before a setting of their network was removed. */
export function unsetProvider({ name, platforms }: NetworkEntry): SocialProvider {
  const refuse = async (): Promise<never> => {
    throw new PlatformRefusedError('This service is no longer set up for the network. Ask whoever runs it.')
  }
  return { name, platforms, simulation: null, connect: refuse, publish: refuse, sync: refuse, comment: refuse }
}
