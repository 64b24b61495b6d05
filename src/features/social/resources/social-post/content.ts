import { invalid } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows, requireIds } from '../../../../records/records.ts'
import { File } from '../../../../resources/content/file/file.ts'
import { requireReadyFiles } from '../../../../resources/content/file/show.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import type { PlatformName } from '../social-platform/social-platform.ts'
import type { Draft } from './composed.ts'
import type { Overrides } from './social-post.ts'

type DraftMedia = Partial<Pick<Draft, 'media' | 'overrides'>>
/** Checks the listed files and returns their ids. `param` is the field at which problems are reported. */
type MediaCheck = (context: Context, ids: string[], param: string) => Promise<string[]>

/** Returns the media of a request and its overrides without duplicates. Throws unless all files are ready. */
export function requireMedia(context: Context, given: DraftMedia): Promise<DraftMedia> {
  return checkedMedia(context, given, requireReadyFiles)
}

/** Returns the media like `requireMedia`, for a validation, which stores nothing. The files may have any upload status. */
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
