/** The content of a frame. The frame of a `video` has a fixed aspect ratio, and that of a `page` is taller. */
export interface Embed {
  url: string
  kind: 'video' | 'page'
}

/** URL patterns of video services, each with the URL of the player, which sets no cookies if the service offers that. */
const PLAYERS: readonly [address: RegExp, player: (...parts: string[]) => string][] = [
  [
    /^https?:\/\/(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/|embed\/)([\w-]{11})(?![\w-])/i,
    (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  ],
  [/^https?:\/\/youtu\.be\/([\w-]{11})(?![\w-])/i, (id) => `https://www.youtube-nocookie.com/embed/${id}`],
  [
    /^https?:\/\/(?:www\.)?vimeo\.com\/(\d{1,15})(?:\/([0-9a-f]{1,40}))?(?:[?#]|$)/i,
    (id, secret) => `https://player.vimeo.com/video/${id}?${secret ? `h=${secret}&` : ''}dnt=1`,
  ],
  [
    /^https?:\/\/player\.vimeo\.com\/video\/(\d{1,15})(?:\?(?:[^#]*&)?h=([0-9a-f]{1,40}))?/i,
    (id, secret) => `https://player.vimeo.com/video/${id}?${secret ? `h=${secret}&` : ''}dnt=1`,
  ],
  [/^https?:\/\/(?:www\.)?loom\.com\/(?:share|embed)\/([0-9a-f]{32})/i, (id) => `https://www.loom.com/embed/${id}`],
]

/** Returns the player for a video on a known service; null for any other URL. */
export function playerOf(url: string): Embed | null {
  for (const [address, player] of PLAYERS) {
    const [found, ...parts] = address.exec(url) ?? []
    if (found !== undefined) return { url: player(...parts), kind: 'video' }
  }
  return null
}

/**
 * Returns what a frame can show for a URL. Returns null for URLs that can only be linked, such as those of this service, which a
 * frame's scripts must not reach.
 */
export function embedOf(url: string, publicUrl: string): Embed | null {
  const player = playerOf(url)
  if (player) return player
  if (!URL.canParse(url)) return null
  const { protocol, hostname, username } = new URL(url)
  if (protocol !== 'https:' || username !== '' || hostname === new URL(publicUrl).hostname) return null
  return { url: new URL(url).href, kind: 'page' }
}
