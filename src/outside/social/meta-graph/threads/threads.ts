import type { NetworkEntry, NetworkParts } from '../../network.ts'
import { type Login, PlatformRefusedError, type SocialProvider } from '../../provider.ts'
import { graphOf } from '../api.ts'
import { act } from './act.ts'
import { renewed, SCOPES, THREADS, threadsAuthorization } from './authorization.ts'
import { profileOf, type ThreadsAccount } from './profile.ts'
import { publishThread } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** Threads, with the Threads app of whoever runs the service at Meta. */
export const threadsNetwork: NetworkEntry = {
  name: 'meta-threads',
  platforms: ['threads'],
  settings: ['THREADS_APP_ID', 'THREADS_APP_SECRET'],
  steps: [
    'At developers.facebook.com, make an app with the use case Threads. Its Threads app id and secret are others than those of the app.',
    `Request advanced access to ${SCOPES.join(', ')} in its App Review; without that, only testers of the app can connect their accounts.`,
    'Threads fetches pictures and videos from PUBLIC_URL, so it must be reachable from the internet.',
  ],
  open: threadsProvider,
}

/** Threads renews no token that is younger than a day, and of one that was given to us nobody knows its age. */
const UNKNOWN_AGE_MS = 2 * 24 * 60 * 60 * 1000

function threadsProvider(parts: NetworkParts): SocialProvider {
  const accountFor = ({ login, signal }: Parameters<SocialProvider['connect']>[0]) => accountOf(parts, login, signal)
  return {
    name: threadsNetwork.name,
    platforms: threadsNetwork.platforms,
    simulation: null,
    authorization: threadsAuthorization(parts),
    async connect(request) {
      const { credentials } = request.login
      const { id, profile } = await profileOf(accountFor(request).graph)
      const renewAt = credentials.renew_at ?? new Date(Date.now() + UNKNOWN_AGE_MS).toISOString()
      return { profile, credentials: { ...credentials, user_id: id }, renewAt }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    publish: (request) => publishThread(accountFor(request), request),
    sync: (request) => snapshotOf(accountFor(request), request),
    comment: (request) => act(accountFor(request), request),
  }
}

function accountOf(parts: NetworkParts, { credentials }: Login, signal: AbortSignal): ThreadsAccount {
  const { access_token: token, user_id: id = 'me' } = credentials
  if (!token)
    throw new PlatformRefusedError('credentials need an access_token; open connect_url to allow access at Threads')
  return { graph: graphOf(parts, { address: THREADS, token, secret: null, signal }), id }
}
