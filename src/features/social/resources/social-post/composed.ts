import type { Context } from '../../../../records/context.ts'
import { findRows } from '../../../../records/records.ts'
import { fileUrl } from '../../../../resources/content/file/addresses.ts'
import { File, type FileRow } from '../../../../resources/content/file/file.ts'
import { isUnmeasured } from '../../../../resources/content/file/settle.ts'
import type { PublishRequest } from '../../providers/provider.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import type { Overrides, SocialPostRow } from './social-post.ts'

/** The content of a post that may not be stored yet. */
export interface Draft {
  content?: string | null
  media: string[]
  link_url?: string | null
  first_comment?: string | null
  overrides: Overrides
}

/** The content of a post as it is published on one platform. */
export interface Composed {
  text: string
  media: PublishRequest['media']
  first_comment: string | null
  language: string | null
  options?: PublishRequest['options']
  /** Whether all files of the post still exist. */
  complete: boolean
  /** The pictures and videos that were not measured yet. */
  unmeasured: FileRow[]
}

/** Returns the text of a post on a platform. The post's link is on a separate line. */
export function textOn({ content, link_url, overrides }: Draft, platform: PlatformName): string {
  const words = overrides[platform]?.content ?? content ?? ''
  if (!link_url || words.includes(link_url)) return words
  return words === '' ? link_url : `${words}\n${link_url}`
}

export function mediaOn({ media, overrides }: Draft, platform: PlatformName): string[] {
  return overrides[platform]?.media ?? media
}

export async function composedFor(context: Context, post: SocialPostRow, platform: PlatformName): Promise<Composed> {
  const ids = mediaOn(post, platform)
  const files = await findRows(context, File, ids)
  const media = ids.flatMap((id) => {
    const file = files.get(id)
    const url = file && fileUrl(context, file)
    if (!url) return []
    const { content_type, size, alternative_text: alternativeText, duration_ms, width, height } = file
    const length = duration_ms ? { durationMs: duration_ms } : {}
    const sides = width && height ? { sides: { width, height } } : {}
    return [{ contentType: content_type ?? '', size: size ?? 0, ...length, ...sides, url, alternativeText }]
  })
  const complete = media.length === ids.length
  const unmeasured = [...files.values()].filter(isUnmeasured)
  const options = post.overrides[platform]?.options
  const { first_comment, language } = post
  const words = { text: textOn(post, platform), first_comment, language }
  return { ...words, media, ...(options && { options }), complete, unmeasured }
}
