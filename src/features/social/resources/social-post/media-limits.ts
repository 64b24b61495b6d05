import type { Interaction } from '../../../../contract/values/post-audiences.ts'
import { formatNumber } from '../../../../format/numbers.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import type { FileRow } from '../../../../resources/content/file/file.ts'
import { NETWORK_LIMITS, type NetworkLimits, type Ratio, type SideLimits } from '../../providers/limits.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
import type { Platform } from '../social-platform/social-platform.ts'

/** Returns the problems that a platform has with the files of a post. A deleted file is undefined in the list. */
export function mediaProblems(
  { name, required_media }: Platform,
  limits: AccountLimits,
  files: readonly (FileRow | undefined)[],
): string[] {
  const media = files.map(mediumOf)
  const number = (kind: MediumKind) => media.filter((one) => one.kind === kind).length
  const problems: string[] = []
  if (number('deleted') > 0) problems.push('has a file that was deleted; remove it')
  if (number('unready') > 0) problems.push('has a file that is not ready yet')
  if (number('other') > 0) problems.push(`must be image and video files; ${name} accepts nothing else`)
  for (const kind of ['image', 'video'] as const) problems.push(...kindProblems(kind, name, limits, media))
  if (limits.media !== undefined && media.length > limits.media && number('image') <= limits.images)
    problems.push(tooMany(media.length, 'images and videos', limits.media, name))
  problems.push(...gifProblems(name, limits, media))
  if (!limits.mixed && number('image') > 0 && number('video') > 0)
    problems.push(`has images and a video; ${name} accepts either in one post`)
  if (required_media === 'video' && number('video') === 0) problems.push(`must have a video for ${name}`)
  if (required_media === 'image_or_video' && media.length === 0)
    problems.push(`must have an image or a video for ${name}`)
  return problems
}

function gifProblems(name: string, { gifBytes: most }: AccountLimits, media: Medium[]): string[] {
  const gifs = media.filter(isGif)
  if (most === undefined || gifs.length === 0) return []
  const largest = Math.max(...gifs.map(({ bytes }) => bytes))
  const problems: string[] = []
  if (media.length > 1) problems.push(`has a GIF and other files; ${name} accepts a GIF alone`)
  if (largest > most)
    problems.push(
      `has a GIF that is too large for ${name} (${bytesInWords(largest)}, maximum is ${bytesInWords(most)})`,
    )
  return problems
}

function isGif({ type }: Medium): boolean {
  return type !== null && bareType(type) === 'image/gif'
}

function kindProblems(kind: 'image' | 'video', name: string, limits: AccountLimits, all: Medium[]): string[] {
  const media = all.filter((one) => one.kind === kind)
  if (media.length === 0) return []
  const [most, mostBytes, types] =
    kind === 'image'
      ? [limits.images, limits.imageBytes, limits.imageTypes]
      : [limits.videos, limits.videoBytes, limits.videoTypes]
  const aOne = kind === 'image' ? 'an image' : 'a video'
  const longest = Math.max(...media.map(({ seconds }) => seconds))
  const shortest = Math.min(...media.map(({ seconds }) => seconds || limits.videoSeconds))
  const { leastVideoSeconds: least = 0 } = limits
  const sized = limits.gifBytes === undefined ? media : media.filter((one) => !isGif(one))
  const largest = Math.max(0, ...sized.map(({ bytes }) => bytes))
  const foreign = media.find(({ type }) => types.length > 0 && type !== null && !types.includes(bareType(type)))
  const problems: string[] = []
  if (media.length > most) problems.push(tooMany(media.length, `${kind}s`, most, name))
  if (longest > limits.videoSeconds)
    problems.push(`has a video that is too long for ${name} (${longest} seconds, maximum is ${limits.videoSeconds})`)
  if (kind === 'video' && shortest < least)
    problems.push(`has a video that is too short for ${name} (${shortest} seconds, minimum is ${least})`)
  if (mostBytes > 0 && largest > mostBytes)
    problems.push(
      `has ${aOne} that is too large for ${name} (${bytesInWords(largest)}, maximum is ${bytesInWords(mostBytes)})`,
    )
  if (foreign) problems.push(`has ${aOne} of type ${foreign.type}; ${name} accepts ${types.join(', ')}`)
  const sides = kind === 'image' ? limits.imageSides : limits.videoSides
  return [...problems, ...sideProblems(media, sides).map((problem) => `has ${aOne} ${problem(name)}`)]
}

function bareType(type: string): string {
  return type.replace(/;.*/, '').trim().toLowerCase()
}

function tooMany(number: number, kind: string, most: number, name: string): string {
  return `has too many ${kind} for ${name} (${number}, maximum is ${most})`
}

type MediumKind = 'image' | 'video' | 'other' | 'unready' | 'deleted'

interface Medium extends Sides {
  kind: MediumKind
  /** The length of a video in whole seconds; 0 when the length is unknown, and for other files. */
  seconds: number
  bytes: number
  /** The stored media type; null when the type is unknown. */
  type: string | null
}

/** Returns the properties of a file. An external video has the kind `other`, because its bytes cannot be sent to a platform. */
function mediumOf(file: FileRow | undefined): Medium {
  return {
    kind: kindOf(file),
    seconds: Math.floor((file?.duration_ms ?? 0) / 1000),
    bytes: file?.size ?? 0,
    type: file?.content_type ?? null,
    width: file?.width ?? null,
    height: file?.height ?? null,
  }
}

function kindOf(file: FileRow | undefined): MediumKind {
  if (!file) return 'deleted'
  if (file.upload_status !== 'ready') return 'unready'
  const [type] = (file.kind === 'file' && file.content_type?.split('/')) || []
  return type === 'image' || type === 'video' ? type : 'other'
}

/** The width and height of a picture or video. If they are unknown, they are null and only the platform checks them. */
interface Sides {
  width: number | null
  height: number | null
}

type KnownSides = { [Side in keyof Sides]: number }
/** Returns the end of a sentence about a file's problem on the named platform. */
type SideProblem = (platform: string) => string

/** Returns the problems with the aspect ratios or sizes of files, at most one of each kind. */
function sideProblems(media: readonly Sides[], limits: SideLimits = {}): SideProblem[] {
  const known = media.filter((one): one is KnownSides => one.width !== null && one.height !== null)
  return [shapeProblem, pixelProblem].flatMap((problemOf) => {
    const problems = known.map((sides) => problemOf(sides, limits))
    return problems.find((problem) => problem !== null) ?? []
  })
}

function shapeProblem(sides: KnownSides, { leastRatio, mostRatio }: SideLimits): SideProblem | null {
  const shape = [sides.width, sides.height] as const
  if (mostRatio && hundredths(shape) > hundredths(mostRatio))
    return (platform) => `that is too wide for ${platform} (${inWords(shape)}, at most ${mostRatio.join(':')})`
  if (leastRatio && hundredths(shape) < hundredths(leastRatio))
    return (platform) => `that is too tall for ${platform} (${inWords(shape)}, at least ${leastRatio.join(':')})`
  return null
}

function pixelProblem(
  { width, height }: KnownSides,
  { leastSide = 1, mostSide, mostPixels }: SideLimits,
): SideProblem | null {
  const pixels = width * height
  const own = `${width} × ${height}`
  if (Math.min(width, height) < leastSide)
    return (platform) => `with too few pixels for ${platform} (${own}, minimum is ${leastSide} × ${leastSide})`
  if (mostSide !== undefined && Math.max(width, height) > mostSide)
    return (platform) => `with too many pixels for ${platform} (${own}, maximum is ${mostSide} × ${mostSide})`
  if (mostPixels === undefined || pixels <= mostPixels) return null
  const [said, most] = [formatNumber(pixels), formatNumber(mostPixels)]
  return (platform) => `with too many pixels for ${platform} (${own} are ${said}, maximum is ${most})`
}

/** Returns the ratio in hundredths, because platforms accept 1200 × 628, which is 1.911:1, as 1.91:1. */
function hundredths([width, height]: Ratio): number {
  return Math.round((100 * width) / height)
}

function inWords([width, height]: Ratio): string {
  const [wide, tall] = [width / height, height / width].map((ratio) => formatNumber(Math.round(ratio * 100) / 100))
  return width >= height ? `${wide}:1` : `1:${tall}`
}

export interface AccountLimits extends NetworkLimits {
  /** The number of characters that the account's server counts for a link; undefined for the platform's own number. */
  charactersPerLink: number | undefined
  /** The interactions that the account does not allow on any of its posts. */
  switchedOff: readonly Interaction[]
}

/** Returns the limits of an account. Limits reported by the account's server replace those of the platform. */
export function limitsOf({ platform, limits }: Pick<SocialAccountRow, 'platform' | 'limits'>): AccountLimits {
  const usual: NetworkLimits = NETWORK_LIMITS[platform]
  const { characters, charactersPerLink, media, imageBytes, videoBytes, videoSeconds, mediaTypes, ...more } =
    limits ?? {}
  return {
    ...usual,
    characters: characters ?? usual.characters,
    charactersPerLink,
    ...(usual.audiences && { audiences: more.audiences ?? usual.audiences }),
    switchedOff: more.switchedOff ?? [],
    images: media ?? usual.images,
    imageBytes: imageBytes ?? usual.imageBytes,
    videoBytes: videoBytes ?? usual.videoBytes,
    videoSeconds: videoSeconds ?? usual.videoSeconds,
    imageSides: sidesOf(usual.imageSides, more.imagePixels),
    videoSides: sidesOf(usual.videoSides, more.videoPixels),
    imageTypes: mediaTypes?.filter((type) => type.startsWith('image/')) ?? usual.imageTypes,
    videoTypes: mediaTypes?.filter((type) => type.startsWith('video/')) ?? usual.videoTypes,
  }
}

function sidesOf(usual: SideLimits = {}, mostPixels = usual.mostPixels): SideLimits {
  return { ...usual, ...(mostPixels !== undefined && { mostPixels }) }
}
