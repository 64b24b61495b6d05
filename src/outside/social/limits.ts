import { AUDIENCES, type Audience, type Interaction } from '../../contract/values/post-audiences.ts'

/** A width and a height that have it, as the platform writes it: 4 and 5, 1.91 and 1. */
export type Ratio = readonly [width: number, height: number]

/** What the sides of a picture or video may be, shown as its bytes say. Absent where the platform names none, or makes it fit. */
export interface SideLimits {
  /** The tallest and the widest shape. */
  leastRatio?: Ratio
  mostRatio?: Ratio
  leastSide?: number
  mostSide?: number
  mostPixels?: number
}

/** What an ordinary account may post on a platform from an app. Sizes are bytes; 0 where the platform names none. */
export interface NetworkLimits {
  characters: number
  images: number
  videos: number
  /** Pictures and videos together in one post. */
  mixed: boolean
  /** Pictures and videos of one post, counted together, where that is limited too. */
  media?: number
  /** Of the first comment and of answers, where these may be shorter or longer than a post. */
  commentCharacters?: number
  imageBytes: number
  /** Of a GIF, where a post may have one alone; absent where it counts as any picture. */
  gifBytes?: number
  videoBytes: number
  videoSeconds: number
  /** The shortest video; absent where any length will do. */
  leastVideoSeconds?: number
  /** Characters that a text must not have. */
  forbidden?: readonly string[]
  /** A post needs a text, whatever else it has. */
  textRequired?: boolean
  /** Media types of pictures and videos; empty where the platform names none. */
  imageTypes: readonly string[]
  videoTypes: readonly string[]
  imageSides?: SideLimits
  videoSides?: SideLimits
  /** How often these may be in a text. */
  hashtags?: number
  mentions?: number
  links?: number
  /** The audiences that a person must choose from for each post; absent on platforms that do not ask. */
  audiences?: readonly Audience[]
}

/** Limits of one account, where its server or its plan has others than the platform usually has. */
export interface PostLimits {
  characters?: number
  /** What a link counts for, however long it is. */
  charactersPerLink?: number
  /** Pictures and videos of a post together. */
  media?: number
  imageBytes?: number
  videoBytes?: number
  videoSeconds?: number
  imagePixels?: number
  videoPixels?: number
  /** Media types that it takes, such as `image/png`. */
  mediaTypes?: string[]
  audiences?: Audience[]
  /** Interactions that are switched off in the account’s settings, for all of its posts. */
  switchedOff?: Interaction[]
}

const MB = 1_000_000
const MIB = 1_048_576
const COMMON = ['image/jpeg', 'image/png', 'image/gif']
const MP4 = ['video/mp4']
const FILMS = ['video/mp4', 'video/quicktime']
const META_FILM: SideLimits = { leastRatio: [0.01, 1], mostRatio: [10, 1] }

/** By platform. Where there are no types and a size of 0, only the network itself checks. */
export const NETWORK_LIMITS = {
  // docs.x.com: Counting characters, Media best practices. The sides of a picture are those that its API names when it refuses one.
  x: {
    ...{ characters: 280, images: 4, videos: 1, videoSeconds: 140, mixed: false },
    ...{
      imageBytes: 5 * MIB,
      gifBytes: 15 * MIB,
      videoBytes: 512 * MIB,
      imageTypes: [...COMMON, 'image/webp'],
      videoTypes: FILMS,
    },
    imageSides: { leastSide: 4, mostSide: 8192 },
    videoSides: { leastRatio: [1, 3], mostRatio: [3, 1], leastSide: 32 },
  },
  // Instagram Platform: IG User Media (image, reel and carousel specifications). It scales what is too small or too large, and
  // cuts the files of a carousel to the shape of the first.
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
  // developers.tiktok.com: Media transfer guide. An account may have a shorter limit for videos, which TikTok says.
  tiktok: {
    ...{ characters: 2200, images: 35, videos: 1, videoSeconds: 600, leastVideoSeconds: 3, mixed: false },
    ...{ imageBytes: 20 * MB, videoBytes: 4000 * MB, imageTypes: ['image/jpeg', 'image/webp'] },
    videoTypes: [...FILMS, 'video/webm'],
    videoSides: { leastSide: 360, mostSide: 4096 },
    audiences: AUDIENCES,
  },
  // developers.google.com/youtube: Videos (snippet.description in bytes), Videos: insert. Any type of video is tried.
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
  // What most servers take; each says its own limits, none of them of a video's length (docs.joinmastodon.org, Instance).
  mastodon: {
    ...{ characters: 500, images: 4, videos: 1, videoSeconds: 86_400, mixed: false },
    ...{ imageBytes: 16 * MB, videoBytes: 99 * MB, imageTypes: [], videoTypes: [] },
  },
} satisfies Record<string, NetworkLimits>
