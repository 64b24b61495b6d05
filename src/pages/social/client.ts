import { clientPath, PlatformRefusedError } from '../../outside/social/provider.ts'
import { PLATFORMS } from '../../resources/social/social_platform/platforms.ts'
import type { PageParts } from '../parts/parts.ts'
import { unknownAnswer } from '../parts/refusals.ts'

/** Networks may keep it so long. */
const SECONDS = 600

/** What a network reads of this service before it lets people allow access; a 404 where there is nothing to read. */
export function clientAnswer(parts: PageParts, file: string): Response | Promise<Response> {
  const document = documentAt(parts, file)
  if (document === null) return unknownAnswer(`${parts.publicUrl}/`)
  return Response.json(document, { headers: { 'Cache-Control': `public, max-age=${SECONDS}` } })
}

function documentAt({ services, publicUrl }: PageParts, file: string): object | null {
  const platform = PLATFORMS.find((one) => clientPath(one.platform).endsWith(`/${file}`))?.platform
  if (platform === undefined) return null
  const provider = services.social.providerFor({ platform, test: false })
  try {
    return provider?.authorization?.document?.({ publicUrl, platform }) ?? null
  } catch (error) {
    if (error instanceof PlatformRefusedError) return null
    throw error
  }
}
