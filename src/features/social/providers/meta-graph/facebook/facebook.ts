import type { NetworkEntry } from '../../network.ts'
import type { CommentRequest, SocialProvider } from '../../provider.ts'
import { Anything, type Graph, PageProfile, pageProfile, part } from '../api.ts'
import { facebookLogin, pageGraph } from '../login.ts'
import { answerOnce, publishPost } from './publish.ts'
import { snapshotOf } from './snapshot.ts'

/** Permissions for posts, figures and comments of pages (Graph API, Permissions). */
const SCOPES = [
  ...['pages_show_list', 'pages_read_engagement', 'pages_read_user_content', 'pages_manage_posts'],
  ...['pages_manage_engagement', 'read_insights', 'business_management'],
]

export const facebookNetwork: NetworkEntry = {
  name: 'meta-facebook',
  platforms: ['facebook'],
  settings: ['META_APP_ID', 'META_APP_SECRET'],
  steps: [
    'At developers.facebook.com, make an app for businesses with Facebook Login. The same app serves Facebook pages and Instagram.',
    `Request advanced access to ${SCOPES.join(', ')} in its App Review; without that, only people with a role in the app can connect their pages.`,
  ],
  open(parts) {
    const graphFor = ({ login, signal }: Parameters<SocialProvider['connect']>[0]) => pageGraph(parts, login, signal)
    return {
      authorization: facebookLogin(parts, {
        scopes: SCOPES,
        choiceOf: (page) => ({
          profile: pageProfile(page),
          credentials: { access_token: page.access_token, page_id: page.id },
        }),
        nothing: 'There is no page that you may post to. Create one, or ask for access to it.',
      }),
      async connect(request) {
        const { access_token = '' } = request.login.credentials
        const page = await pageOf(graphFor(request))
        return { profile: pageProfile(page), credentials: { access_token, page_id: page.id } }
      },
      publish: (request) => publishPost(graphFor(request), request, parts.web),
      async sync(request) {
        const graph = graphFor(request)
        return snapshotOf(graph, pageProfile(await pageOf(graph)), request)
      },
      comment: (request) => act(graphFor(request), request),
    }
  },
}

function pageOf(graph: Graph) {
  return graph.get('/me', PageProfile, { fields: 'id,name,username,link,picture{url},followers_count' })
}

async function act(graph: Graph, request: CommentRequest): Promise<{ id: string | null }> {
  const { action, comment, content, again, login } = request
  const path = `/${part(comment)}`
  if (action === 'reply')
    return { id: await answerOnce(graph, { to: comment, text: content ?? '', again, page: login.credentials.page_id }) }
  if (action === 'delete') await graph.delete(path, Anything)
  else if (action === 'like') await graph.post(`${path}/likes`, Anything, {})
  else if (action === 'unlike') await graph.delete(`${path}/likes`, Anything)
  else await graph.post(path, Anything, { is_hidden: String(action === 'hide') })
  return { id: null }
}
