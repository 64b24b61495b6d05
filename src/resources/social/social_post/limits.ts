import type { Row } from '../../../contract/declarations/noun.ts'
import { MOST_BYTES } from '../../../outside/social/provider.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { bytesInWords } from '../../../words/sizes.ts'
import { File } from '../../content/file/file.ts'
import type { SocialAccount } from '../social_account/social_account.ts'
import { countCharacters } from '../social_platform/counting.ts'
import { type Platform, platformOf } from '../social_platform/platforms.ts'
import { type Draft, mediaOn, textOn } from './composed.ts'

type Field = 'content' | 'media' | 'first_comment' | 'scheduled_at' | 'account'

/** Something that keeps a post from being published on an account, and the field to change. */
export interface Problem {
  field: Field
  message: string
}

/** How a post fits one account. */
export interface Fit {
  account: Row<typeof SocialAccount>
  characters: number
  platform: Platform
  problems: Problem[]
}

interface Question {
  draft: Draft
  accounts: readonly Row<typeof SocialAccount>[]
  /** It is to be published at a time, and not at once. */
  scheduled: boolean
}

/** Checks a post against the limits of each account's platform, after its overrides. */
export async function fitsOf(context: Context, { draft, accounts, scheduled }: Question): Promise<Fit[]> {
  const ids = accounts.flatMap(({ platform }) => mediaOn(draft, platform))
  const files = await findRows(context, File, ids)
  return accounts.map((account) => {
    const platform = platformOf(account.platform)
    const media = mediaOn(draft, account.platform).map((id) => mediumOf(files.get(id)))
    const characters = countCharacters(account.platform, textOn(draft, account.platform))
    const problems = [
      ...accountProblems(account),
      ...textProblems(platform, characters, media.length),
      ...mediaProblems(platform, media),
      ...featureProblems(platform, draft, scheduled),
    ]
    return { account, platform, characters, problems }
  })
}

type Kind = 'image' | 'video' | 'other' | 'unready' | 'deleted'

interface Medium {
  kind: Kind
  /** Whole seconds of a video; 0 where its length is not known, and for everything else. */
  seconds: number
  bytes: number
}

/** A video on another site cannot be sent to a platform. */
function mediumOf(file: Row<typeof File> | undefined): Medium {
  return { kind: kindOf(file), seconds: Math.floor((file?.duration_ms ?? 0) / 1000), bytes: file?.size ?? 0 }
}

function kindOf(file: Row<typeof File> | undefined): Kind {
  if (!file) return 'deleted'
  if (file.upload_status !== 'ready') return 'unready'
  const [type] = (file.kind === 'file' && file.content_type?.split('/')) || []
  return type === 'image' || type === 'video' ? type : 'other'
}

function accountProblems({ status }: Row<typeof SocialAccount>): Problem[] {
  if (status === 'connected') return []
  if (status === 'pending')
    return [{ field: 'account', message: 'is not connected yet; someone must allow access at its connect_url' }]
  return [{ field: 'account', message: `is ${status === 'error' ? 'not connected' : status}; reconnect it first` }]
}

function textProblems({ name, max_characters: most }: Platform, characters: number, media: number): Problem[] {
  if (characters === 0 && media === 0)
    return [{ field: 'content', message: `can't be blank on ${name}, because the post has nothing else to show` }]
  if (characters <= most) return []
  return [{ field: 'content', message: `is too long for ${name} (${characters} characters, maximum is ${most})` }]
}

function mediaProblems(platform: Platform, media: Medium[]): Problem[] {
  const { name, max_images, max_videos, max_video_seconds, required_media } = platform
  const number = (kind: Kind) => media.filter((one) => one.kind === kind).length
  const longest = Math.max(0, ...media.map(({ seconds }) => seconds))
  const problems: string[] = []
  if (number('deleted') > 0) problems.push('has a file that was deleted; remove it')
  if (number('unready') > 0) problems.push('has a file that is not ready yet')
  if (number('other') > 0) problems.push(`must be image and video files; ${name} accepts nothing else`)
  if (number('image') > max_images) problems.push(tooMany(number('image'), 'images', max_images, name))
  if (number('video') > max_videos) problems.push(tooMany(number('video'), 'videos', max_videos, name))
  if (longest > max_video_seconds)
    problems.push(`has a video that is too long for ${name} (${longest} seconds, maximum is ${max_video_seconds})`)
  problems.push(...tooLarge(platform, media))
  if (required_media === 'video' && number('video') === 0) problems.push(`must have a video for ${name}`)
  if (required_media === 'image_or_video' && media.length === 0)
    problems.push(`must have an image or a video for ${name}`)
  return problems.map((message) => ({ field: 'media', message }))
}

function tooLarge({ platform, name }: Platform, media: Medium[]): string[] {
  const most = MOST_BYTES[platform]
  if (!most) return []
  return (['image', 'video'] as const).flatMap((kind) => {
    const largest = Math.max(0, ...media.filter((one) => one.kind === kind).map(({ bytes }) => bytes))
    const sizes = `${bytesInWords(largest)}, maximum is ${bytesInWords(most[kind])}`
    return largest > most[kind]
      ? [`has ${kind === 'image' ? 'an image' : 'a video'} that is too large for ${name} (${sizes})`]
      : []
  })
}

function tooMany(number: number, kind: string, most: number, name: string): string {
  return `has too many ${kind} for ${name} (${number}, maximum is ${most})`
}

function featureProblems({ name, supports }: Platform, { first_comment }: Draft, scheduled: boolean): Problem[] {
  const problems: Problem[] = []
  if (first_comment && !supports.first_comment)
    problems.push({ field: 'first_comment', message: `cannot be posted on ${name}` })
  if (scheduled && !supports.scheduling)
    problems.push({
      field: 'scheduled_at',
      message: `cannot be used with ${name}, which does not support scheduled posts`,
    })
  return problems
}
