import { invalid } from '../../../contract/declarations/errors.ts'
import { callbackPath, type SocialProvider } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { listed } from '../../../words/lists.ts'

const ASK = 'Ask whoever runs it, for whom Settings, Connections lists the steps; a test account can try it out'

/** The adapter that connects accounts of a platform. Throws a 422 where the platform is not set up. */
export function requireSetUp({ services, test }: Context, platform: string): SocialProvider {
  const provider = services.social.providerFor({ platform, test })
  if (provider) return provider
  const isPossible = services.social.setUpOf(platform) !== null
  throw invalid({
    platform: [isPossible ? `is not set up on this service. ${ASK}` : 'cannot be reached by this service yet'],
  })
}

/** What whoever runs the service does until a platform is reached, in order. */
export function stepsOf({ services, publicUrl }: Context, platform: string): string[] {
  const setUp = services.social.setUpOf(platform)
  if (!setUp) return []
  const callback = `Enter ${publicUrl}${callbackPath(platform)} there as the redirect URI.`
  return [...setUp.steps, callback, `Set ${listed([...setUp.settings])}, and restart the service.`]
}
