import { type Choice, type Credentials, PlatformRefusedError, type PostLimits, type Profile } from '../provider.ts'
import type { Api } from './api.ts'
import { type Channel, Channels } from './shapes.ts'

/** Channels that have not proved a telephone number may not show longer films. */
const SHORT_S = 15 * 60

/** The channels of whoever allowed access. */
export async function channelsOf(api: Api): Promise<Channel[]> {
  const { items } = await api.call('/channels?part=snippet,statistics,status,contentDetails&mine=true', Channels)
  return items
}

/** The channel that is connected. Rejects with a PlatformRefusedError where the access is not to it. */
export async function channelOf(api: Api): Promise<Channel> {
  const channels = await channelsOf(api)
  const channel = api.channel === '' ? channels[0] : channels.find(({ id }) => id === api.channel)
  if (channel) return channel
  throw new PlatformRefusedError('The access to YouTube is not to this channel.', { expired: true })
}

export function choiceOf(channel: Channel, credentials: Credentials): Choice {
  return { profile: profileOf(channel), credentials: { ...credentials, channel: channel.id } }
}

export function profileOf({ id, snippet, statistics }: Channel): Profile {
  const { hiddenSubscriberCount: isHidden, subscriberCount } = statistics
  return {
    username: snippet.customUrl?.replace(/^@/, '') ?? id,
    displayName: snippet.title,
    profileUrl: `https://www.youtube.com/${snippet.customUrl ?? `channel/${id}`}`,
    avatarUrl: snippet.thumbnails?.default?.url ?? null,
    followersCount: isHidden ? null : (subscriberCount ?? null),
  }
}

export function limitsOf({ status }: Channel): PostLimits | null {
  const known = status?.longUploadsStatus
  return known === undefined || known === 'allowed' || known === 'longUploadsUnspecified'
    ? null
    : { videoSeconds: SHORT_S }
}
