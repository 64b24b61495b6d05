import { keysOf } from '../../../contract/values/keys.ts'

/** Sites that show videos, with the addresses that they have there. */
const SITES = {
  youtube: [
    /^(www\.|m\.)?youtube\.com\/watch\?(.*&)?v=[\w-]{6,}/,
    /^(www\.|m\.)?youtube\.com\/(embed|shorts|live)\/[\w-]{6,}/,
    /^www\.youtube-nocookie\.com\/embed\/[\w-]{6,}/,
    /^youtu\.be\/[\w-]{6,}/,
  ],
  vimeo: [/^(www\.)?vimeo\.com\/([a-z]+\/)*\d+/, /^player\.vimeo\.com\/video\/\d+/],
  wistia: [/^[\w-]+\.wistia\.(com|net)\/(medias|embed\/iframe|embed\/medias)\/\w+/, /^wi\.st\/medias\/\w+/],
} as const

export type VideoSite = keyof typeof SITES

/** The site whose video an address shows, or null when it is none. */
export function videoSiteOf(address: string): VideoSite | null {
  if (!URL.canParse(address)) return null
  const { protocol, host, pathname, search, username } = new URL(address)
  if (!/^https?:$/.test(protocol) || username !== '') return null
  const place = `${host}${pathname}${search}`
  const sites = keysOf(SITES)
  return sites.find((site) => SITES[site].some((form) => form.test(place))) ?? null
}
