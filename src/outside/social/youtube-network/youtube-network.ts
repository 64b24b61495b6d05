import type { NetworkEntry, NetworkParts } from '../network.ts'
import type { SocialProvider } from '../provider.ts'
import { apiOf } from './api.ts'
import { renewed, revoked, youtubeAuthorization } from './authorization.ts'
import { actOn } from './comments.ts'
import { channelOf, limitsOf, profileOf } from './profile.ts'
import { publishVideo } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** YouTube, with the Google app of whoever runs the service. */
export const youtubeNetwork: NetworkEntry = {
  name: 'youtube-network',
  platforms: ['youtube'],
  settings: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  steps: [
    'In the Google Cloud console, make a project and enable the YouTube Data API v3.',
    'Configure the consent screen with the scope youtube.force-ssl, and publish the app: access to an app in testing ends after 7 days.',
    'Make an OAuth client ID of the type Web application.',
    'Ask Google for an audit of the project: until then, YouTube keeps every video private that an app uploads.',
  ],
  open: youtubeProvider,
}

function youtubeProvider(parts: NetworkParts): SocialProvider {
  return {
    name: youtubeNetwork.name,
    platforms: youtubeNetwork.platforms,
    simulation: null,
    authorization: youtubeAuthorization(parts),
    async connect({ login: { credentials }, signal }) {
      const channel = await channelOf(apiOf(parts, credentials, signal))
      const renewAt = credentials.renew_at ?? (credentials.refresh_token ? new Date().toISOString() : null)
      const access = { credentials: { ...credentials, channel: channel.id }, renewAt }
      return { profile: profileOf(channel), limits: limitsOf(channel), ...access }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    revoke: ({ login, signal }) => revoked(parts, login.credentials, signal),
    publish: (request) => publishVideo(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => actOn(apiOf(parts, request.login.credentials, request.signal), request),
  }
}
