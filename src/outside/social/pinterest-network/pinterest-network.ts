import type { NetworkEntry, NetworkParts } from '../network.ts'
import { PlatformRefusedError, type SocialProvider } from '../provider.ts'
import { apiOf } from './api.ts'
import { pinterestAuthorization, renewed } from './authorization.ts'
import { boardOf, profileOf, userOf } from './profile.ts'
import { publishPin } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** Pinterest, with the app of whoever runs the service. An account is one board. */
export const pinterestNetwork: NetworkEntry = {
  name: 'pinterest-network',
  platforms: ['pinterest'],
  settings: ['PINTEREST_APP_ID', 'PINTEREST_APP_SECRET'],
  steps: [
    'On Pinterest for developers, with a business account, register an app.',
    'Apply for standard access: until then, pins of the app are seen by their author alone.',
  ],
  open: pinterestProvider,
}

/** Pinterest documents no request that ends access: a person takes it away in the settings of the account. */
function pinterestProvider(parts: NetworkParts): SocialProvider {
  return {
    name: pinterestNetwork.name,
    platforms: pinterestNetwork.platforms,
    simulation: null,
    authorization: pinterestAuthorization(parts),
    async connect({ login: { credentials }, signal }) {
      const api = apiOf(parts, credentials, signal)
      const renewAt = credentials.renew_at ?? (credentials.refresh_token ? new Date().toISOString() : null)
      return { profile: profileOf(await userOf(api), await boardOf(api, credentials)), credentials, renewAt }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    publish: (request) => publishPin(parts, apiOf(parts, request.login.credentials, request.signal), request),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    async comment() {
      throw new PlatformRefusedError('Pinterest lets apps neither read nor write comments.')
    },
  }
}
