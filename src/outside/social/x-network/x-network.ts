import type { NetworkEntry, NetworkParts } from '../network.ts'
import type { CommentRequest, SocialProvider } from '../provider.ts'
import { type Api, apiOf } from './api.ts'
import { renewed, revoked, xAuthorization } from './authorization.ts'
import { profileOf } from './profile.ts'
import { answer, publishPost } from './publish.ts'
import { Anything } from './shapes.ts'
import { snapshotOf } from './snapshot.ts'

/** X, with the app of whoever runs the service. */
export const xNetwork: NetworkEntry = {
  name: 'x-network',
  platforms: ['x'],
  settings: ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
  steps: [
    'In the developer portal of X, make an app with user authentication: OAuth 2.0, a confidential client (Web App), with the permission to read and write.',
  ],
  open: xProvider,
}

function xProvider(parts: NetworkParts): SocialProvider {
  return {
    name: xNetwork.name,
    platforms: xNetwork.platforms,
    simulation: null,
    authorization: xAuthorization(parts),
    async connect({ login: { credentials }, signal }) {
      const { id, profile, limits } = await profileOf(apiOf(parts, credentials, signal))
      const renewAt = credentials.renew_at ?? (credentials.refresh_token ? new Date().toISOString() : null)
      return { profile, limits, credentials: { ...credentials, user_id: id }, renewAt }
    },
    renew: ({ login, signal }) => renewed(parts, login.credentials, signal),
    revoke: ({ login, signal }) => revoked(parts, login.credentials, signal),
    publish: (request) => publishPost(apiOf(parts, request.login.credentials, request.signal), request, parts.web),
    sync: (request) => snapshotOf(apiOf(parts, request.login.credentials, request.signal), request),
    comment: (request) => act(apiOf(parts, request.login.credentials, request.signal), request),
  }
}

async function act(api: Api, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment: tweet_id, content, again } = request
  const post = `/tweets/${encodeURIComponent(tweet_id)}`
  const likes = `/users/${api.userId}/likes`
  if (action === 'reply') return { id: await answer(api, { to: tweet_id, text: content ?? '', again }) }
  if (action === 'delete') await api.call(post, Anything, { method: 'DELETE' })
  else if (action === 'like') await api.call(likes, Anything, { method: 'POST', body: { tweet_id } })
  else if (action === 'unlike')
    await api.call(`${likes}/${encodeURIComponent(tweet_id)}`, Anything, { method: 'DELETE' })
  else await api.call(`${post}/hidden`, Anything, { method: 'PUT', body: { hidden: action === 'hide' } })
  return { id: null }
}
