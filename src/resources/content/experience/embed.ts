/** What is shown in a frame. A `video` is as wide as it is; a `page` has a height of its own. */
export interface Embed {
  url: string
  kind: 'video' | 'page'
}

/** Players of well-known services, by the address that people copy. Where there is one that sets no cookies, it is that one. */
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

/** The player of a video on a well-known service; null for any other address. */
export function playerOf(url: string): Embed | null {
  for (const [address, player] of PLAYERS) {
    const [found, ...parts] = address.exec(url) ?? []
    if (found !== undefined) return { url: player(...parts), kind: 'video' }
  }
  return null
}

/**
 * How an address is shown in a frame: a player, or the page itself, if it is not one of this service, whose pages a frame with
 * scripts of its own must not reach. Null for what can only be linked to.
 */
export function embedOf(url: string, publicUrl: string): Embed | null {
  const player = playerOf(url)
  if (player) return player
  if (!URL.canParse(url)) return null
  const { protocol, hostname, username } = new URL(url)
  if (protocol !== 'https:' || username !== '' || hostname === new URL(publicUrl).hostname) return null
  return { url: new URL(url).href, kind: 'page' }
}
