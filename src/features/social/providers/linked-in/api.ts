import { z } from 'zod'
import { API_VERSIONS } from '../../../../providers/api-versions.ts'
import {
  guardedFetch,
  type JsonRequest,
  jsonRequest,
  type NetworkParts,
  refusalOf,
  tokenIn,
  wordsIn,
} from '../network.ts'
import {
  type ApiVersion,
  type Credentials,
  PlatformRefusedError,
  type Profile,
  VersionEndedError,
} from '../provider.ts'

/** The response fields that are used (learn.microsoft.com/linkedin). */
const UserInfo = z.object({
  sub: z.string(),
  name: z.string().optional(),
  picture: z.string().optional(),
})

export const ImageUpload = z.object({ value: z.object({ uploadUrl: z.string(), image: z.string() }) })

const Instruction = z.object({ uploadUrl: z.string(), firstByte: z.number(), lastByte: z.number() })
export const VideoUpload = z.object({
  value: z.object({
    video: z.string(),
    uploadToken: z.string().default(''),
    uploadInstructions: z.array(Instruction).min(1),
  }),
})

export const Video = z.object({ status: z.string(), processingFailureReason: z.string().optional() })

const Post = z.object({ id: z.string(), commentary: z.string().default(''), createdAt: z.number().default(0) })
export const Posts = z.object({ elements: z.array(Post) })

const Comment = z.object({
  id: z.string(),
  commentUrn: z.string().optional(),
  object: z.string().optional(),
  actor: z.string(),
  parentComment: z.string().optional(),
  message: z.object({ text: z.string().default('') }),
  likesSummary: z.object({ totalLikes: z.number().default(0) }).optional(),
})
export type Comment = z.output<typeof Comment>
export const Comments = z.object({ elements: z.array(Comment) })

export const CreatedComment = Comment.pick({ id: true, commentUrn: true, object: true })

const Counted = z.object({ count: z.number().default(0) })
export const Metadata = z.object({
  reactionSummaries: z.record(z.string(), Counted).default({}),
  commentSummary: Counted.optional(),
})

/** A response whose body is ignored. */
export const Anything = z.unknown()

const Refusal = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string().optional() })).default([]) })
    .partial()
    .optional(),
})

/** The wait after a rate limit: LinkedIn's limits are per day, and its responses contain no reset time. */
const WAIT_MS = 60 * 60 * 1000
/** The HTTP status for a retired API version (LinkedIn API, Versioning). */
const VERSION_ENDED = 426

interface ApiResponse<Body> {
  body: Body
  id: string | null
}

export interface Api {
  /** The URN of the account's owner: `urn:li:person:…`. */
  author: string
  /** Sends a request. Rejects with a PlatformRefusedError if LinkedIn refuses it, and with a PlatformBusyError if it limits the rate. */
  call<Shape extends z.ZodType>(
    path: string,
    shape: Shape,
    request?: JsonRequest,
  ): Promise<ApiResponse<z.output<Shape>>>
  /** Sends bytes to an upload URL of LinkedIn and returns the ETag of the stored part. */
  put(url: string, bytes: Uint8Array, type: string): Promise<string>
}

/** The same post exists already, with the id in LinkedIn's message. */
export class DuplicateError extends PlatformRefusedError {
  readonly post: string

  constructor(message: string, post: string) {
    super(message)
    this.post = post
  }
}

export class GoneError extends PlatformRefusedError {}

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf({ web, addressOf, settings }: NetworkParts, credentials: Credentials, signal: AbortSignal): Api {
  const token = tokenIn('LinkedIn', credentials)
  const fetch = guardedFetch(web, signal)
  const { version } = versionIn(settings)
  const versioned = { 'LinkedIn-Version': version, 'X-Restli-Protocol-Version': '2.0.0' }
  return {
    author: `urn:li:person:${credentials.member ?? ''}`,
    async call(path, shape, request = {}) {
      const url = `${addressOf('https://api.linkedin.com')}${path}`
      const answer = await fetch(url, jsonRequest(token, { ...request, headers: versioned }))
      const text = await answer.text()
      if (answer.status === VERSION_ENDED) throw new VersionEndedError('LinkedIn', version, Date.now() + WAIT_MS)
      if (!answer.ok) throw refusedBy(answer, text)
      return { body: shape.parse(text === '' ? {} : JSON.parse(text)), id: answer.headers.get('x-restli-id') }
    },
    async put(given, bytes, type) {
      const { origin, hostname, pathname, search } = new URL(given)
      const own = hostname.endsWith('.linkedin.com')
      const answer = await fetch(`${addressOf(origin)}${pathname}${search}`, {
        method: 'PUT',
        headers: {
          ...(own && { Accept: 'application/json', Authorization: `Bearer ${token}` }),
          'Content-Type': type,
        },
        body: new Uint8Array(bytes),
      })
      if (!answer.ok) throw refusedBy(answer, await answer.text())
      return answer.headers.get('etag')?.replaceAll('"', '') ?? ''
    },
  }
}

/** Returns the API version in use. LinkedIn supports each version for about a year. */
export function versionIn({ LINKEDIN_VERSION }: NetworkParts['settings']): ApiVersion {
  return { version: LINKEDIN_VERSION ?? API_VERSIONS.linkedIn.version, setting: 'LINKEDIN_VERSION' }
}

function refusedBy(answer: Response, text: string): Error {
  let duplicate: string | null = null
  const words = wordsIn('LinkedIn', text, (json) => {
    const { message = '', errorDetails } = Refusal.parse(json)
    const isDuplicate = errorDetails?.inputErrors?.some(({ code }) => code === 'DUPLICATE_POST') ?? true
    duplicate = isDuplicate ? (DUPLICATE.exec(message)?.[1] ?? null) : null
    return message
  })
  const refused = duplicate === null ? undefined : new DuplicateError(words, duplicate)
  const gone = answer.status === 404 ? new GoneError(words) : undefined
  return refusalOf(answer, { network: 'LinkedIn', words, fallbackMs: WAIT_MS }, refused ?? gone)
}

/** Matches the id of the existing post in LinkedIn's message: `Content is a duplicate of urn:li:share:…`. */
const DUPLICATE = /duplicate of (urn:li:(?:share|ugcPost):\d+)/i

/** Returns the owner of a token. LinkedIn reveals neither the profile URL nor the number of followers to apps. */
export async function profileOf(api: Api): Promise<Profile> {
  const { sub, name, picture } = (await api.call('/v2/userinfo', UserInfo)).body
  return {
    username: sub,
    displayName: name ?? null,
    profileUrl: null,
    avatarUrl: picture ?? null,
    followersCount: null,
  }
}
