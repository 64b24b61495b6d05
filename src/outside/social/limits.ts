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
  /** How often these may be in a text. */
  hashtags?: number
  mentions?: number
  links?: number
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
  /** Media types that it takes, such as `image/png`. */
  mediaTypes?: string[]
}

const MB = 1_000_000
const MIB = 1_048_576
const COMMON = ['image/jpeg', 'image/png', 'image/gif']
const MP4 = ['video/mp4']
const FILMS = ['video/mp4', 'video/quicktime']

/** By platform. Where there are no types and a size of 0, only the network itself checks. */
export const NETWORK_LIMITS = {
  // docs.x.com: Counting characters, Media best practices.
  x: {
    ...{ characters: 280, images: 4, videos: 1, videoSeconds: 140, mixed: false },
    ...{
      imageBytes: 5 * MIB,
      gifBytes: 15 * MIB,
      videoBytes: 512 * MIB,
      imageTypes: [...COMMON, 'image/webp'],
      videoTypes: FILMS,
    },
  },
  // Instagram Platform: IG User Media (image, reel and carousel specifications).
  instagram: {
    ...{ characters: 2200, images: 10, videos: 10, videoSeconds: 900, leastVideoSeconds: 3, mixed: true, media: 10 },
    ...{ imageBytes: 8 * MB, videoBytes: 300 * MB, imageTypes: ['image/jpeg'], videoTypes: FILMS },
    ...{ hashtags: 30, mentions: 20, commentCharacters: 300 },
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
  },
  // developers.tiktok.com: Media transfer guide. An account may have a shorter limit for videos, which TikTok says.
  tiktok: {
    ...{ characters: 2200, images: 35, videos: 1, videoSeconds: 600, leastVideoSeconds: 3, mixed: false },
    ...{ imageBytes: 20 * MB, videoBytes: 4000 * MB, imageTypes: ['image/jpeg', 'image/webp'] },
    videoTypes: [...FILMS, 'video/webm'],
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
  },
  // developers.pinterest.com: Create Pin; help.pinterest.com: Review Pin specs.
  pinterest: {
    ...{ characters: 800, images: 5, videos: 1, videoSeconds: 900, leastVideoSeconds: 4, mixed: false },
    ...{ imageBytes: 20 * MB, videoBytes: 2000 * MB, imageTypes: [...COMMON, 'image/webp'] },
    videoTypes: [...FILMS, 'video/x-m4v'],
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
