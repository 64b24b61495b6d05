import { invalid } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows, requireIds } from '../../../../records/records.ts'
import { fileUrl } from '../../../../resources/content/file/addresses.ts'
import { File, type FileRow } from '../../../../resources/content/file/file.ts'
import { isUnmeasured } from '../../../../resources/content/file/settle.ts'
import { requireReadyFiles } from '../../../../resources/content/file/show.ts'
import type { PublishRequest } from '../../providers/provider.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import type { Overrides, SocialPostRow } from './social-post.ts'

type DraftMedia = Partial<Pick<Draft, 'media' | 'overrides'>>
/** Checks the listed files and returns their ids. `param` is the field at which problems are reported. */
type MediaCheck = (context: Context, ids: string[], param: string) => Promise<string[]>

/** Returns the media of a request and its overrides without duplicates. Throws unless all files are ready. */
export function requireMedia(context: Context, given: DraftMedia): Promise<DraftMedia> {
  return checkedMedia(context, given, requireReadyFiles)
}

/** Returns the media like `requireMedia`, but accepts files in any upload status. It is for validations, which store nothing. */
export function requireKnownMedia(context: Context, given: DraftMedia): Promise<DraftMedia> {
  return checkedMedia(context, given, (_, ids, param) => requireIds(context, File, ids, param))
}

async function checkedMedia(
  context: Context,
  { media, overrides }: DraftMedia,
  check: MediaCheck,
): Promise<DraftMedia> {
  return {
    ...(media && { media: await check(context, media, 'media') }),
    ...(overrides && { overrides: await checkedOverrides(context, overrides, check) }),
  }
}

async function checkedOverrides(context: Context, overrides: Overrides, check: MediaCheck): Promise<Overrides> {
  const checked: Overrides = {}
  for (const [platform, override] of Object.entries(overrides)) {
    const media = override?.media && (await check(context, override.media, `overrides.${platform}.media`))
    checked[platform as PlatformName] = { ...override, ...(media && { media }) }
  }
  return checked
}

/** Throws a 422 for a post without text or media. */
export function requireContent({ content, media }: Pick<Draft, 'content' | 'media'>): void {
  if (!content?.trim() && media.length === 0) throw invalid({ content: ["can't be blank"] })
}

/** Returns the ids of the accounts without duplicates, with their rows and platforms. Throws a 404 for an unknown account. */
export async function requireAccounts(
  context: Context,
  given: string[],
): Promise<{ ids: string[]; platforms: PlatformName[]; rows: SocialAccountRow[] }> {
  const ids = await requireIds(context, SocialAccount, given, 'social_accounts')
  const found = await findRows(context, SocialAccount, ids)
  const rows = ids.map((id) => found.get(id)!)
  return { ids, rows, platforms: [...new Set(rows.map(({ platform }) => platform))] }
}

/** The content of a post that may not be stored yet. */
export interface Draft {
  content?: string | null
  media: string[]
  link_url?: string | null
  first_comment?: string | null
  overrides: Overrides
}

/** The content of a post as it is published on one platform. */
interface Composed {
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

/** Returns the text of a post on a platform. The post's link follows on a separate line, unless the text contains it. */
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
