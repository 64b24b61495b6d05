import type { NetworkEntry, NetworkParts } from '../network.ts'
import type { SocialProvider } from '../provider.ts'
import { apiOf, versionIn } from './api.ts'
import { linkedInAuthorization, renewed, revoked } from './authorization.ts'
import { act } from './comments.ts'
import { profileOf } from './profile.ts'
import { publishPost } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** LinkedIn, for members, with the app of whoever runs the service. */
export const linkedIn: NetworkEntry = {
  name: 'linked-in',
  platforms: ['linkedin'],
  settings: ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'],
  optional: ['LINKEDIN_VERSION'],
  steps: [
    'At LinkedIn for developers, make an app, and request the products Share on LinkedIn and Sign In with LinkedIn using OpenID Connect.',
  ],
  open: linkedInProvider,
}

function linkedInProvider(parts: NetworkParts): SocialProvider {
  return {
    name: linkedIn.name,
    platforms: linkedIn.platforms,
    simulation: null,
    apiVersion: versionIn(parts.settings),
    authorization: linkedInAuthorization(parts),
    async connect({ login: { credentials }, signal }) {
      const profile = await profileOf(apiOf(parts, credentials, signal))
      const access = { ...credentials, member: profile.username }
      return { profile, credentials: access, renewAt: credentials.renew_at ?? null }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    revoke: ({ login, signal }) => revoked(parts, login.credentials, signal),
    publish: (request) => publishPost(apiOf(parts, request.login.credentials, request.signal), request, parts.web),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => act(apiOf(parts, request.login.credentials, request.signal), request),
  }
}
