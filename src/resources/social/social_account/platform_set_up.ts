import { invalid } from '../../../contract/declarations/errors.ts'
import type { SocialProvider } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'

/** The adapter that connects accounts of a platform. Throws a 422 where the platform is not set up. */
export function requireSetUp({ services, test }: Context, platform: string): SocialProvider {
  const provider = services.social.providerFor({ platform, test })
  if (provider) return provider
  throw invalid({
    platform: [
      'is not set up on this service, which reaches Bluesky and Mastodon only: the sandbox, which reaches no platform, serves live accounts only where SANDBOX_PROVIDERS is on. A test account can use it',
    ],
  })
}
