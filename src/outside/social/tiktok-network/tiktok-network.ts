import type { NetworkEntry, NetworkParts } from '../network.ts'
import { PlatformRefusedError, type SocialProvider } from '../provider.ts'
import { apiOf } from './api.ts'
import { renewed, revoked, tiktokAuthorization } from './authorization.ts'
import { isAudited, limitsOf, profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** TikTok, with the app of whoever runs the service. */
export const tiktokNetwork: NetworkEntry = {
  name: 'tiktok-network',
  platforms: ['tiktok'],
  settings: ['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_SECRET'],
  optional: ['TIKTOK_AUDITED'],
  steps: [
    'On TikTok for Developers, make an app with Login Kit for Web and the Content Posting API, with Direct Post turned on.',
    'Apply for the scopes user.info.basic, user.info.profile, user.info.stats, video.list and video.publish.',
    'Verify the domain of PUBLIC_URL under URL properties: TikTok fetches pictures from there.',
    'Have the app audited, and set TIKTOK_AUDITED to true then: until that, only private accounts can post, and only they see the posts.',
  ],
  open: tiktokProvider,
}

function tiktokProvider(parts: NetworkParts): SocialProvider {
  return {
    name: tiktokNetwork.name,
    platforms: tiktokNetwork.platforms,
    simulation: null,
    authorization: tiktokAuthorization(parts),
    async connect({ login: { credentials }, signal }) {
      const api = apiOf(parts, credentials, signal)
      const renewAt = credentials.renew_at ?? (credentials.refresh_token ? new Date().toISOString() : null)
      return {
        profile: await profileOf(api),
        limits: (await limitsOf(api, isAudited(parts))) ?? null,
        credentials,
        renewAt,
      }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    revoke: ({ login, signal }) => revoked(parts, login.credentials, signal),
    publish: (request) => publishPost(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request, isAudited(parts)),
    async comment() {
      throw new PlatformRefusedError('TikTok lets apps neither read nor write comments.')
    },
  }
}
