import type { NetworkEntry } from '../../network.ts'
import { type CommentRequest, type Login, PlatformRefusedError, type SocialProvider } from '../../provider.ts'
import { Anything, type Graph, InstagramUser, instagramProfile, part } from '../api.ts'
import { facebookLogin, pageGraph } from '../login.ts'
import { answerOnce, publishMedia } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** Permissions for posts, comments and figures of professional accounts with a page (Instagram API with Facebook Login). */
const SCOPES = [
  ...['instagram_basic', 'instagram_content_publish', 'instagram_manage_comments', 'instagram_manage_insights'],
  ...['pages_show_list', 'pages_read_engagement', 'business_management'],
]

export const instagramNetwork: NetworkEntry = {
  name: 'meta-instagram',
  platforms: ['instagram'],
  settings: ['META_APP_ID', 'META_APP_SECRET'],
  steps: [
    'At developers.facebook.com, make an app for businesses with Facebook Login and Instagram. The same app serves Facebook pages and Instagram.',
    `Request advanced access to ${SCOPES.join(', ')} in its App Review; without that, only people with a role in the app can connect their accounts.`,
    'Instagram fetches pictures and videos from PUBLIC_URL, so it must be reachable from the internet.',
  ],
  open(parts) {
    const accountFor = ({ login, signal }: Parameters<SocialProvider['connect']>[0]) => ({
      graph: pageGraph(parts, login, signal),
      id: idOf(login),
    })
    return {
      authorization: facebookLogin(parts, {
        scopes: SCOPES,
        choiceOf: ({ access_token, instagram_business_account: user }) =>
          user ? { profile: instagramProfile(user), credentials: { access_token, instagram_id: user.id } } : null,
        nothing:
          'None of your Facebook pages has an Instagram professional account. Make the account a business or creator account, and link it to a page.',
      }),
      async connect(request) {
        const { graph, id } = accountFor(request)
        const { access_token = '' } = request.login.credentials
        return { profile: instagramProfile(await userOf(graph, id)), credentials: { access_token, instagram_id: id } }
      },
      publish: (request) => publishMedia(accountFor(request), request),
      async sync(request) {
        const account = accountFor(request)
        return snapshotOf(account, instagramProfile(await userOf(account.graph, account.id)), request)
      },
      comment: (request) => act(accountFor(request).graph, request),
    }
  },
}

function idOf({ credentials }: Login): string {
  if (credentials.instagram_id) return credentials.instagram_id
  throw new PlatformRefusedError('credentials need an instagram_id; open connect_url to give access to an account')
}

function userOf(graph: Graph, id: string) {
  const fields = 'id,username,name,profile_picture_url,followers_count'
  return graph.get(`/${part(id)}`, InstagramUser, { fields })
}

async function act(graph: Graph, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment, content, again, login } = request
  const path = `/${part(comment)}`
  if (action === 'like' || action === 'unlike')
    throw new PlatformRefusedError('Instagram does not let apps like comments')
  if (action === 'reply') {
    const answer = { edge: `${path}/replies`, text: content ?? '', again, username: login.username }
    return { id: await answerOnce(graph, answer) }
  }
  if (action === 'delete') await graph.delete(path, Anything)
  else await graph.post(path, Anything, { hide: String(action === 'hide') })
  return { id: null }
}
