import type { PostLimits, Profile } from '../provider.ts'
import { type Api, NotThereError } from './api.ts'
import { Account, Instance } from './shapes.ts'

/**
 * The account that a token is for. Its handle has the domain of the server, which may differ from where its pages are; accounts that
 * were connected before handles had that are stored with the host of the pages.
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

/** The server's description of itself, or null. Older servers have it at an older address. */
export async function instanceOf(api: Api): Promise<Instance | null> {
  return (await instanceAt(api, '/api/v2/instance')) ?? (await instanceAt(api, '/api/v1/instance'))
}

/** A name without scheme or path, as older servers and some others write it at `uri`. */
function domainOf(instance: Instance | null): string | undefined {
  const said = instance?.domain ?? instance?.uri ?? ''
  const address = /^https?:\/\//.test(said) ? said : `https://${said}`
  return said !== '' && URL.canParse(address) ? new URL(address).hostname : undefined
}

/** The limits of the server; null where it names none. */
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

const MOST_TYPES = 100

async function instanceAt(api: Api, path: string): Promise<Instance | null> {
  try {
    return await api.call(path, Instance)
  } catch (error) {
    if (error instanceof NotThereError) return null
    throw error
  }
}
