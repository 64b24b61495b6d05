import { AUDIENCES, type Audience, type Interaction } from '../../../contract/values/post-audiences.ts'

/** An aspect ratio as a width and a height, in the platform's notation: 4 and 5, 1.91 and 1. */
export type Ratio = readonly [width: number, height: number]

/** The limits for the displayed dimensions of a picture or video. Absent if the platform has none or scales the media. */
export interface SideLimits {
  /** The tallest and the widest aspect ratio. */
  leastRatio?: Ratio
  mostRatio?: Ratio
  leastSide?: number
  mostSide?: number
  mostPixels?: number
}

/** A platform's limits for posts of an ordinary account through an app. Sizes are in bytes; 0 if the platform states none. */
export interface NetworkLimits {
  characters: number
  images: number
  videos: number
  /** Whether a post may have pictures and videos together. */
  mixed: boolean
  /** The maximum number of pictures and videos together; absent if there is no such limit. */
  media?: number
  /** The maximum number of characters of the first comment and of replies, if it differs from that of posts. */
  commentCharacters?: number
  imageBytes: number
  /** The maximum size of a GIF, if it must be the only file of a post; absent if a GIF counts as a picture. */
  gifBytes?: number
  videoBytes: number
  videoSeconds: number
  /** The minimum duration of a video; absent if there is none. */
  leastVideoSeconds?: number
  /** Characters that are not allowed in a text. */
  forbidden?: readonly string[]
  /** Whether every post needs a text. */
  textRequired?: boolean
  /** The accepted media types; empty if the platform names none. */
  imageTypes: readonly string[]
  videoTypes: readonly string[]
  imageSides?: SideLimits
  videoSides?: SideLimits
  /** The maximum number of hashtags, of mentions and of links in a text. */
  hashtags?: number
  mentions?: number
  links?: number
  /** The audiences from which a person must choose one for each post; absent if the platform has no such choice. */
  audiences?: readonly Audience[]
}

/** The limits of one account, if its server or plan differs from the platform's usual limits. */
export interface PostLimits {
  characters?: number
  /** The number of characters that a link of any length counts for. */
  charactersPerLink?: number
  /** The maximum number of pictures and videos together. */
  media?: number
  imageBytes?: number
  videoBytes?: number
  videoSeconds?: number
  imagePixels?: number
  videoPixels?: number
  /** The accepted media types, such as `image/png`. */
  mediaTypes?: string[]
  audiences?: Audience[]
  /** Interactions that the account's settings disable for all of its posts. */
  switchedOff?: Interaction[]
}

const MB = 1_000_000
const MIB = 1_048_576
const COMMON = ['image/jpeg', 'image/png', 'image/gif']
const MP4 = ['video/mp4']
const FILMS = ['video/mp4', 'video/quicktime']
const META_FILM: SideLimits = { leastRatio: [0.01, 1], mostRatio: [10, 1] }

/** The limits of each platform. If media types are empty or a size is 0, only the platform checks them. */
export const NETWORK_LIMITS = {
  // docs.x.com: Counting characters, Media best practices. The picture dimensions are those in X's error messages.
  x: {
    ...{ characters: 280, images: 4, videos: 1, videoSeconds: 140, mixed: false },
    ...{ imageBytes: 5 * MIB, gifBytes: 15 * MIB, videoBytes: 512 * MIB },
    ...{ imageTypes: [...COMMON, 'image/webp'], videoTypes: FILMS },
    imageSides: { leastSide: 4, mostSide: 8192 },
    videoSides: { leastRatio: [1, 3], mostRatio: [3, 1], leastSide: 32 },
  },
  // Instagram Platform: IG User Media (image, reel and carousel specifications). Instagram scales media that are too small or too
  // large, and crops the files of a carousel to the aspect ratio of the first.
  instagram: {
    ...{ characters: 2200, images: 10, videos: 10, videoSeconds: 900, leastVideoSeconds: 3, mixed: true, media: 10 },
    ...{ imageBytes: 8 * MB, videoBytes: 300 * MB, imageTypes: ['image/jpeg'], videoTypes: FILMS },
    ...{ hashtags: 30, mentions: 20, commentCharacters: 300 },
    imageSides: { leastRatio: [4, 5], mostRatio: [1.91, 1] },
    videoSides: META_FILM,
  },
  // Graph API: Page Photos, Page Videos.
  facebook: {
    ...{ characters: 63_206, commentCharacters: 8000, images: 10, videos: 1, videoSeconds: 14_400, mixed: false },
    ...{ imageBytes: 4 * MB, videoBytes: 10_000 * MB, videoTypes: [] },
    imageTypes: [...COMMON, 'image/bmp', 'image/tiff'],
  },
  // learn.microsoft.com/linkedin: Posts, Images and Videos APIs.
  linkedin: {
    ...{ characters: 3000, commentCharacters: 1250, images: 20, videos: 1, videoSeconds: 1800, mixed: false },
    ...{ imageBytes: 0, videoBytes: 500 * MB, imageTypes: COMMON, videoTypes: MP4 },
    imageSides: { mostPixels: 36_152_320 },
    videoSides: { leastRatio: [1, 2.4], mostRatio: [2.4, 1] },
  },
  // developers.tiktok.com: Media transfer guide. TikTok reports a shorter video limit for some accounts.
  tiktok: {
    ...{ characters: 2200, images: 35, videos: 1, videoSeconds: 600, leastVideoSeconds: 3, mixed: false },
    ...{ imageBytes: 20 * MB, videoBytes: 4000 * MB, imageTypes: ['image/jpeg', 'image/webp'] },
    videoTypes: [...FILMS, 'video/webm'],
    videoSides: { leastSide: 360, mostSide: 4096 },
    audiences: AUDIENCES,
  },
  // developers.google.com/youtube: Videos (snippet.description in bytes), Videos: insert. Videos of any type may be sent.
  youtube: {
    ...{ characters: 5000, commentCharacters: 10_000, images: 0, videos: 1, videoSeconds: 43_200, mixed: false },
    ...{ imageBytes: 0, videoBytes: 256_000 * MB, imageTypes: [], videoTypes: [] },
    ...{ forbidden: ['<', '>'], textRequired: true },
  },
  // Threads API: Posts, Media specifications.
  threads: {
    ...{ characters: 500, images: 20, videos: 20, videoSeconds: 300, mixed: true, media: 20, links: 5 },
    ...{ imageBytes: 8 * MB, videoBytes: 1_000 * MB, imageTypes: ['image/jpeg', 'image/png'], videoTypes: FILMS },
    imageSides: { mostRatio: [10, 1] },
    videoSides: META_FILM,
  },
  // developers.pinterest.com: Create Pin; help.pinterest.com: Review Pin specs.
  pinterest: {
    ...{ characters: 800, images: 5, videos: 1, videoSeconds: 900, leastVideoSeconds: 4, mixed: false },
    ...{ imageBytes: 20 * MB, videoBytes: 2000 * MB, imageTypes: [...COMMON, 'image/webp'] },
    videoTypes: [...FILMS, 'video/x-m4v'],
    videoSides: { leastRatio: [1, 2], mostRatio: [1.91, 1] },
  },
  // Lexicons app.bsky.embed.images and app.bsky.embed.video.
  bluesky: {
    ...{ characters: 300, images: 4, videos: 1, videoSeconds: 180, mixed: false },
    ...{ imageBytes: 2 * MB, videoBytes: 100 * MB, imageTypes: [], videoTypes: MP4 },
  },
  // These are the limits of most servers; each server reports its own, except for the video length (docs.joinmastodon.org, Instance).
  mastodon: {
    ...{ characters: 500, images: 4, videos: 1, videoSeconds: 86_400, mixed: false },
    ...{ imageBytes: 16 * MB, videoBytes: 99 * MB, imageTypes: [], videoTypes: [] },
  },
} satisfies Record<string, NetworkLimits>
