import {
  type CommentRequest,
  type Connection,
  PlatformRefusedError,
  type Published,
  type PublishRequest,
  type Social,
  type SocialProvider,
} from '../../../src/features/social/providers/provider.ts'

const PROFILE = { displayName: null, profileUrl: null, avatarUrl: null, followersCount: null }

/** A platform outside, which knows what was posted there and can lose its answers. */
export class Platform implements SocialProvider {
  readonly name = 'platform'
  readonly platforms = 'all'
  readonly simulation = null
  /** What it was asked to publish, in order. */
  readonly asked: Pick<PublishRequest, 'key' | 'again' | 'media'>[] = []
  /** Every post that is there. */
  readonly posts: string[] = []
  /** What comes of a post that was just made, before the answer leaves. */
  afterPosting: (key: string) => void | Promise<void> = () => {}
  /** It answers nothing that has to do with posts. */
  isDown = false
  /** What it was told about comments, in order. */
  readonly told: string[] = []

  connect = async ({ login }: Parameters<SocialProvider['connect']>[0]): Promise<Connection> => {
    if (login.credentials.code !== 'right') throw new PlatformRefusedError('The code is wrong.')
    const username = login.username ?? 'from.platform'
    return { profile: { ...PROFILE, username }, credentials: { token: 'long-lived' } }
  }

  publish = async ({ key, again, media }: PublishRequest): Promise<Published> => {
    this.asked.push({ key, again, media })
    if (this.isDown) throw new Error('There is no answer')
    const published = { id: `post of ${key}`, url: null, firstCommentId: null }
    if (again && this.posts.includes(key)) return published
    this.posts.push(key)
    await this.afterPosting(key)
    return published
  }

  sync = async () => ({ profile: { ...PROFILE, username: 'from.platform' }, comments: [], days: [] })

  comment = async ({ action }: CommentRequest) => {
    this.told.push(action)
    return { id: action === 'reply' ? `reply ${this.told.length}` : null }
  }

  /** As the services of a shop have it. */
  get only(): Social {
    return { providerFor: () => this, named: () => this, apiVersions: [], setUpOf: () => null }
  }
}
