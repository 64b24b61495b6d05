/** Content shown in a frame. A `video` frame has a fixed aspect ratio; a `page` frame is taller. */
export interface Embed {
  url: string
  kind: 'video' | 'page'
}

/** The players of well-known services, by the URLs that people copy. A player without cookies is preferred. */
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

/** Returns the player of a video on a well-known service, or null for any other URL. */
export function playerOf(url: string): Embed | null {
  for (const [address, player] of PLAYERS) {
    const [found, ...parts] = address.exec(url) ?? []
    if (found !== undefined) return { url: player(...parts), kind: 'video' }
  }
  return null
}

/**
 * Returns how a URL is embedded: in a player or as a page. Null for URLs that can only be linked, including those of this service,
 * whose pages must not be reachable from a frame with scripts of its own.
 */
export function embedOf(url: string, publicUrl: string): Embed | null {
  const player = playerOf(url)
  if (player) return player
  if (!URL.canParse(url)) return null
  const { protocol, hostname, username } = new URL(url)
  if (protocol !== 'https:' || username !== '' || hostname === new URL(publicUrl).hostname) return null
  return { url: new URL(url).href, kind: 'page' }
}
