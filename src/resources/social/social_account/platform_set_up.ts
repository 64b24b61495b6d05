import { invalid } from '../../../contract/declarations/errors.ts'
import { callbackPath, type SetUp, type SocialProvider } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { listed } from '../../../words/lists.ts'

const SANDBOX = 'A test account can use the sandbox; live accounts only where SANDBOX_PROVIDERS is on'

/** The adapter that connects accounts of a platform. Throws a 422 where the platform is not set up. */
export function requireSetUp({ services, test }: Context, platform: string): SocialProvider {
  const provider = services.social.providerFor({ platform, test })
  if (provider) return provider
  throw invalid({ platform: [`${missingOf(services.social.setUpOf(platform))}. ${SANDBOX}`] })
}

function missingOf(setUp: SetUp | null): string {
  if (!setUp) return 'is not set up on this service, which cannot reach it yet'
  return `is not set up on this service: whoever runs it sets ${listed([...setUp.settings])}`
}

/** What whoever runs the service does until a platform is reached, in order. */
export function stepsOf({ services, publicUrl }: Context, platform: string): string[] {
  const setUp = services.social.setUpOf(platform)
  if (!setUp) return []
  const callback = `Enter ${publicUrl}${callbackPath(platform)} there as the redirect URI.`
  return [...setUp.steps, callback, `Set ${listed([...setUp.settings])}, and restart the service.`]
}
