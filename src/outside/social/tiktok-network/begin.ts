import { progressIn } from '../progress.ts'
import {
  type Credentials,
  OutcomeUnknownError,
  PlatformBusyError,
  PlatformRefusedError,
  type PostedFile,
  type PublishRequest,
} from '../provider.ts'
import { titleOf } from '../title.ts'
import type { Api } from './api.ts'
import { audiencesOf, creatorOf } from './profile.ts'
import { Begun, type CreatorInfo } from './shapes.ts'
import { cut } from './upload.ts'

const MAX_PHOTO_TITLE = 90

export function filmOf(media: PublishRequest['media']): PostedFile | undefined {
  return media.find(({ contentType }) => contentType.startsWith('video/'))
}

/** Asks TikTok for a post, as its creator may make one now; what is kept of it. */
export async function begin(api: Api, request: PublishRequest, isAudited: boolean): Promise<Credentials> {
  if (progressIn(request).known.asked !== undefined) throw new OutcomeUnknownError(UNKNOWN)
  const creator = await creatorOf(api)
  const privacy_level = audienceOf(request, creator, isAudited)
  const film = filmOf(request.media)
  const asked = { request, creator, privacy_level }
  return film ? beginFilm(api, film, asked) : beginPictures(api, asked)
}

/** The audience that a person has chosen: TikTok lets no app choose one for them (Content Sharing Guidelines). */
function audienceOf({ options }: PublishRequest, creator: CreatorInfo, isAudited: boolean): string {
  const offered: readonly string[] = audiencesOf(creator, isAudited)
  const chosen = options?.privacy_level
  if (chosen === undefined || !offered.includes(chosen))
    throw new PlatformRefusedError(
      `TikTok does not offer this account ${chosen ?? 'a post without an audience'}, only ${offered.join(', ')}${isAudited ? '' : ' until it has audited the app of this service'}.`,
    )
  if (options?.branded_content && chosen === 'SELF_ONLY')
    throw new PlatformRefusedError('Branded content cannot be private on TikTok.')
  return chosen
}

/** The interactions and the disclosure of a post. A creator’s settings rule out interactions for all posts. */
function switchesOf({ options = {} }: PublishRequest, creator: CreatorInfo) {
  return {
    comments: {
      disable_comment: creator.comment_disabled || !options.allow_comments,
      ...{ brand_organic_toggle: options.your_brand, brand_content_toggle: options.branded_content },
    },
    film: {
      disable_duet: creator.duet_disabled || !options.allow_duets,
      disable_stitch: creator.stitch_disabled || !options.allow_stitches,
    },
  }
}

const UNKNOWN =
  'The answer of TikTok was lost, and it has no way to look pictures up. See whether they are on the profile, and retry if not.'

interface Asked {
  request: PublishRequest
  creator: CreatorInfo
  privacy_level: string
}

/** Nothing is published before all bytes are there, so that an answer that is lost does no harm. */
async function beginFilm(
  api: Api,
  { size, durationMs = 0 }: PostedFile,
  { request, creator, privacy_level }: Asked,
): Promise<Credentials> {
  const longest = creator.max_video_post_duration_sec ?? Number.POSITIVE_INFINITY
  const seconds = Math.floor(durationMs / 1000)
  if (seconds > longest)
    throw new PlatformRefusedError(
      `The video is too long for this account on TikTok (${seconds} seconds, maximum is ${longest}).`,
    )
  const { comments, film } = switchesOf(request, creator)
  const { publish_id, upload_url } = await api.post('/post/publish/video/init/', Begun, {
    post_info: { title: request.text, privacy_level, ...comments, ...film },
    source_info: { source: 'FILE_UPLOAD', video_size: size, ...cut(size) },
  })
  if (upload_url === undefined) throw new PlatformRefusedError('TikTok named no address for the upload.')
  await progressIn(request).keep({ publish_id, upload_url })
  return { publish_id, upload_url }
}

/**
 * TikTok fetches pictures from our addresses, whose domain must be verified there, and publishes them. Nobody can look up what
 * came of it without its answer, so that is noted before.
 */
async function beginPictures(api: Api, { request, creator, privacy_level }: Asked): Promise<Credentials> {
  const progress = progressIn(request)
  await progress.keep({ asked: 'yes' })
  const { text, media } = request
  const words = { title: titleOf(text, MAX_PHOTO_TITLE), description: text }
  const photo_images = media.map(({ url }) => url)
  try {
    const { publish_id } = await api.post('/post/publish/content/init/', Begun, {
      post_info: { ...words, privacy_level, ...switchesOf(request, creator).comments, auto_add_music: false },
      source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images },
      ...{ post_mode: 'DIRECT_POST', media_type: 'PHOTO' },
    })
    await progress.keep({ publish_id })
    return { publish_id }
  } catch (error) {
    // It has said no, or to come later.
    if (error instanceof PlatformRefusedError || error instanceof PlatformBusyError) await progress.keep({})
    throw error
  }
}
