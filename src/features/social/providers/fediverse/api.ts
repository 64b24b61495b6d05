import { Parser } from 'htmlparser2'
import { z } from 'zod'
import type { WebClient } from '../../../../providers/web/client.ts'
import { guardedFetch, type JsonRequest, jsonRequest, orElse, refusalOf, wordsIn } from '../network.ts'
import { type Credentials, PlatformRefusedError, type PostLimits, type Profile } from '../provider.ts'

const SERVER_OF_MENTION = /(@[\w.-]+)@[\p{L}\p{N}.-]*[\p{L}\p{N}]/gu

const MOST_TYPES = 100

/** The response fields that are used (docs.joinmastodon.org, Entities). */
export const Account = z.object({
  id: z.string(),
  username: z.string(),
  acct: z.string(),
  display_name: z.string(),
  url: z.string(),
  avatar: z.string().nullish(),
  followers_count: z.number(),
})

export const Status = z.object({
  id: z.string(),
  url: z.string().nullish(),
  created_at: z.string(),
  content: z.string(),
  in_reply_to_id: z.string().nullish(),
  account: Account,
  favourites_count: z.number(),
  reblogs_count: z.number(),
  replies_count: z.number(),
})
export type Status = z.output<typeof Status>

export const Context = z.object({ descendants: z.array(Status) })

/** An uploaded file; its `url` is null while the instance processes it. */
export const Media = z.object({ id: z.string(), url: z.string().nullable() })

/** A dimension in pixels; any other value becomes undefined. */
const Pixels = z.int().positive().optional().catch(undefined)

/** The limits of a server; older versions lack some of them. */
const Instance = z.object({
  /** The domain of handles; older versions call this field `uri`. */
  domain: z.string().optional(),
  uri: z.string().optional(),
  configuration: z
    .object({
      statuses: z
        .object({
          max_characters: z.number(),
          max_media_attachments: z.number(),
          characters_reserved_per_url: z.number(),
        })
        .partial(),
      media_attachments: z
        .object({
          supported_mime_types: z.array(z.string()),
          image_size_limit: z.number(),
          video_size_limit: z.number(),
          image_matrix_limit: Pixels,
          video_matrix_limit: Pixels,
        })
        .partial(),
    })
    .partial()
    .optional(),
})
type Instance = z.output<typeof Instance>

const Refusal = z.object({ error: z.string() })

interface Request extends JsonRequest {
  /** The idempotency key, which the instance remembers for an hour. */
  key?: string
}

/** An API client of one instance for the owner of a token. */
export interface Api {
  instance: string
  /** Sends a request. Rejects with a PlatformRefusedError if the instance refuses it. */
  call<Shape extends z.ZodType>(path: string, shape: Shape, request?: Request): Promise<z.output<Shape>>
}

/** Returns an API client. Throws a PlatformRefusedError for invalid credentials. */
export function apiOf(web: WebClient, { instance, access_token: token }: Credentials, signal: AbortSignal): Api {
  if (!instance || !token)
    throw new PlatformRefusedError('credentials need an instance, such as mastodon.social, and an access_token')
  const origin = originOf(instance)
  const fetch = guardedFetch(web, signal)
  return {
    instance: origin,
    async call(path, shape, { key, ...request } = {}) {
      const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key }
      return refusing(await fetch(`${origin}${path}`, jsonRequest(token, { ...request, headers })), shape)
    },
  }
}

/** The instance does not have the object: its URL is unknown, or it was deleted. */
class NotThereError extends PlatformRefusedError {}

export function isNotThere(error: unknown): boolean {
  return error instanceof NotThereError
}

/** Parses a response. Throws a PlatformRefusedError with the instance's message, or a PlatformBusyError. */
export async function refusing<Shape extends z.ZodType>(answer: Response, shape: Shape): Promise<z.output<Shape>> {
  const text = await answer.text()
  if (answer.ok) return shape.parse(JSON.parse(text))
  const words = wordsIn('the instance', text, (json) => Refusal.parse(json).error)
  const isGone = answer.status === 404 || answer.status === 410
  throw refusalOf(answer, { network: 'The instance', words }, isGone ? new NotThereError(words) : undefined)
}

/** Returns the origin of a server that a person entered. Throws a PlatformRefusedError if it is invalid. */
export function originOf(instance: string): string {
  const name = instance.trim()
  const address = /^https?:\/\//.test(name) ? name : `https://${name}`
  if (name !== '' && URL.canParse(address)) return new URL(address).origin
  throw new PlatformRefusedError('instance must be the name of a server, such as mastodon.social')
}

/**
 * Returns the account of a token. Its handle has the server's domain, which may differ from the host of its pages. Accounts that
 * were connected by an older version are stored with the host.
 */
export async function profileOf(api: Api, instance: Instance | null): Promise<Profile> {
  const { username, display_name, url, avatar, followers_count } = await api.call(
    '/api/v1/accounts/verify_credentials',
    Account,
  )
  const { hostname } = new URL(api.instance)
  return {
    username: `${username}@${domainOf(instance) ?? hostname}`,
    otherUsername: `${username}@${hostname}`,
    displayName: display_name || null,
    profileUrl: url,
    avatarUrl: avatar ?? null,
    followersCount: followers_count,
  }
}

/** Returns the server's description, which older servers have at another path; null if there is none. */
export async function instanceOf(api: Api): Promise<Instance | null> {
  return (await instanceAt(api, '/api/v2/instance')) ?? (await instanceAt(api, '/api/v1/instance'))
}

/** Returns the instance's domain without the scheme or path that older servers and some others include in `uri`. */
function domainOf(instance: Instance | null): string | undefined {
  const said = instance?.domain ?? instance?.uri ?? ''
  const address = /^https?:\/\//.test(said) ? said : `https://${said}`
  return said !== '' && URL.canParse(address) ? new URL(address).hostname : undefined
}

/** Returns the limits of the server; null if it reports none. */
export function limitsOf(instance: Instance | null): PostLimits | null {
  const { statuses, media_attachments: media } = instance?.configuration ?? {}
  if (!statuses && !media) return null
  return {
    ...(statuses?.max_characters && { characters: statuses.max_characters }),
    ...(statuses?.characters_reserved_per_url && { charactersPerLink: statuses.characters_reserved_per_url }),
    ...(statuses?.max_media_attachments && { media: statuses.max_media_attachments }),
    ...(media?.image_size_limit && { imageBytes: media.image_size_limit }),
    ...(media?.video_size_limit && { videoBytes: media.video_size_limit }),
    ...(media?.image_matrix_limit && { imagePixels: media.image_matrix_limit }),
    ...(media?.video_matrix_limit && { videoPixels: media.video_matrix_limit }),
    ...(media?.supported_mime_types && { mediaTypes: media.supported_mime_types.slice(0, MOST_TYPES) }),
  }
}

function instanceAt(api: Api, path: string): Promise<Instance | null> {
  return orElse(api.call(path, Instance), null, isNotThere)
}

/** Returns the text of a status, which instances return as HTML. */
export function plainText(html: string): string {
  let text = ''
  const parser = new Parser({
    ontext(words) {
      text += words
    },
    onopentag(tag) {
      if (tag === 'br' || tag === 'p') text += ' '
    },
  })
  parser.end(html)
  return inOneLine(text)
}

/** Compares texts, ignoring white space and the servers of mentions: a status shows `@ada` for `@ada@example.social`. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => inOneLine(text).replace(SERVER_OF_MENTION, '$1'))
  return first === second
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
