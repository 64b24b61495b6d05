import {
  type Access,
  type Authorization,
  type CommentRequest,
  type Connection,
  type Credentials,
  PlatformBusyError,
  PlatformRefusedError,
  type Profile,
  type PublishRequest,
  type Social,
  type SocialProvider,
} from '../../../src/features/social/providers/provider.ts'
import { simulatedProvider } from '../../../src/features/social/providers/simulated/simulated.ts'

const HOUR_MS = 60 * 60 * 1000
const NOTHING = { displayName: null, profileUrl: null, avatarUrl: null, followersCount: null }

/** A network with a page of its own, several profiles, and refresh tokens that work once. */
export class Network implements SocialProvider {
  readonly name = 'network'
  readonly platforms = 'all'
  readonly simulation = null
  readonly entry = [{ name: 'key', label: 'Access key', secret: true, hint: 'Made at the network' }]
  /** Profiles of whoever allows access. */
  profiles = ['one.page']
  /** The access and refresh token that it takes now; each renewal replaces both. */
  round = 0
  /** How often it was asked to renew, and what was revoked. */
  renewals = 0
  readonly revoked: string[] = []
  readonly posted: string[] = []
  /** Access that it gives ends so soon. */
  lastsMs = HOUR_MS
  /** It refuses to renew. */
  refusesRenewal = false
  /** Until when it limits the rate, in milliseconds since 1970. */
  busyUntil = 0
  /** What a renewal waits for. */
  beforeRenewal: Promise<void> = Promise.resolve()
  /** What was given to `begin`, in order. */
  readonly begun: { state: string; returnUrl: string; entered: Credentials }[] = []

  readonly authorization: Authorization = {
    asks: [],
    begin: async ({ state, returnUrl, entered }) => {
      this.begun.push({ state, returnUrl, entered })
      return { url: `https://network.example/allow?state=${state}`, kept: { verifier: `for ${state}` } }
    },
    finish: async ({ kept, query, platform, returnUrl }) => {
      if (query.error) return { declined: `The person said no: ${query.error}.` }
      if (kept.verifier !== `for ${query.state}` || !returnUrl.endsWith(`/social/callback/${platform}`))
        throw new PlatformRefusedError('The verifier is wrong.')
      if (query.code !== 'right') throw new PlatformRefusedError('The code is wrong.')
      return {
        choices: this.profiles.map((username) => ({
          profile: profileOf(username),
          credentials: this.#tokens(username),
        })),
      }
    },
  }

  connect = async ({ login }: Parameters<SocialProvider['connect']>[0]): Promise<Connection> => {
    const { username = 'by.key', key } = login.credentials
    if (key !== undefined) return { profile: profileOf(username), credentials: { key } }
    this.#requireAccess(login.credentials)
    return { profile: profileOf(username), ...this.#access(username) }
  }

  renew = async ({ login }: Parameters<SocialProvider['connect']>[0]): Promise<Access> => {
    this.renewals += 1
    await this.beforeRenewal
    if (this.refusesRenewal || login.credentials.refresh_token !== `refresh ${this.round}`)
      throw new PlatformRefusedError('The refresh token was used before.')
    this.round += 1
    return this.#access(login.credentials.username ?? '')
  }

  revoke = async ({ login }: Parameters<SocialProvider['connect']>[0]): Promise<void> => {
    this.revoked.push(login.credentials.access_token ?? '')
  }

  publish = async ({ login, key }: PublishRequest) => {
    this.#requireAccess(login.credentials)
    if (Date.now() < this.busyUntil) throw new PlatformBusyError('Too many posts.', this.busyUntil)
    this.posted.push(key)
    return { id: key, url: null, firstCommentId: null }
  }

  sync = async ({ login }: Parameters<SocialProvider['sync']>[0]) => {
    this.#requireAccess(login.credentials)
    return { profile: profileOf(login.username ?? ''), comments: [], days: [] }
  }

  comment = async (_: CommentRequest) => ({ id: null })

  /** As the services of a shop have it. */
  get only(): Social {
    return {
      providerFor: ({ test }) => (test ? simulatedProvider : this),
      named: (name) => (name === this.name ? this : simulatedProvider),
      apiVersions: [],
      setUpOf: () => null,
    }
  }

  #access(username: string): Access {
    return { credentials: this.#tokens(username), renewAt: new Date(Date.now() + this.lastsMs).toISOString() }
  }

  #tokens(username: string): Credentials {
    return { username, access_token: `access ${this.round}`, refresh_token: `refresh ${this.round}` }
  }

  #requireAccess({ access_token, key }: Credentials): void {
    if (key === undefined && access_token !== `access ${this.round}`)
      throw new PlatformRefusedError('The access token is not valid.', { expired: true })
  }
}

function profileOf(username: string): Profile {
  return { ...NOTHING, username, displayName: `Page ${username}` }
}
