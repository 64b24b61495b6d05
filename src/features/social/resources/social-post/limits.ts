import { keysOf } from '../../../../contract/values/keys.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows } from '../../../../records/records.ts'
import { File } from '../../../../resources/content/file/file.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
import { countCharacters } from '../social-platform/counting.ts'
import { platformOf } from '../social-platform/platforms.ts'
import type { Platform } from '../social-platform/social-platform.ts'
import { type Draft, mediaOn, textOn } from './content.ts'
import { type AccountLimits, limitsOf, mediaProblems } from './media-limits.ts'

type ProblemField = 'overrides' | 'content' | 'media' | 'first_comment' | 'scheduled_at' | 'account'

/** The reason why a post cannot be published on an account, and the field to change. */
export interface Problem {
  field: ProblemField
  message: string
}

export interface Fit {
  account: SocialAccountRow
  characters: number
  platform: Platform
  limits: AccountLimits
  problems: Problem[]
}

interface FitRequest {
  draft: Draft
  accounts: readonly SocialAccountRow[]
  /** Whether the post will be published at a later time instead of now. */
  scheduled: boolean
}

/** Checks a post, with its overrides applied, against the limits of each account's platform. */
export async function fitsOf(context: Context, { draft, accounts, scheduled }: FitRequest): Promise<Fit[]> {
  const ids = accounts.flatMap(({ platform }) => mediaOn(draft, platform))
  const files = await findRows(context, File, ids)
  return accounts.map((account) => {
    const platform = platformOf(account.platform)
    const limits = limitsOf(account)
    const media = mediaOn(draft, account.platform).map((id) => files.get(id))
    const text = textOn(draft, account.platform)
    const characters = countCharacters(account.platform, text, limits.charactersPerLink)
    const problems = [
      ...accountProblems(account),
      ...textProblems(platform, limits, { text, characters, media: media.length }),
      ...wordProblems(platform, limits, text),
      ...mediaProblems(platform, limits, media).map((message) => ({ field: 'media' as const, message })),
      ...featureProblems(platform, draft, scheduled),
      ...optionProblems(platform, limits, draft),
      ...commentProblems(platform, limits, draft.first_comment ?? ''),
    ]
    return { account, platform, limits, characters, problems }
  })
}

function accountProblems({ status }: SocialAccountRow): Problem[] {
  if (status === 'connected') return []
  if (status === 'pending')
    return [{ field: 'account', message: 'is not connected yet; someone must allow access at its connect_url' }]
  return [{ field: 'account', message: `is ${status === 'error' ? 'not connected' : status}; reconnect it first` }]
}

function textProblems(
  { name }: Platform,
  { characters: most, textRequired, forbidden = [] }: AccountLimits,
  { text, characters, media }: { text: string; characters: number; media: number },
): Problem[] {
  if (characters === 0 && media === 0)
    return [{ field: 'content', message: `can't be blank on ${name}, because the post has nothing else to show` }]
  if (textRequired && text.trim() === '')
    return [{ field: 'content', message: `can't be blank on ${name}, because its first line is the title` }]
  const wrong = forbidden.find((one) => text.includes(one))
  if (wrong !== undefined) return [{ field: 'content', message: `must not contain ${wrong} on ${name}` }]
  if (characters <= most) return []
  return [{ field: 'content', message: `is too long for ${name} (${characters} characters, maximum is ${most})` }]
}

/** Functions that count the hashtags, mentions and different links of a text, which some networks limit. */
const COUNTED = {
  hashtags: (text: string) => [...text.matchAll(/(?<![\p{L}\p{N}_&])#[\p{L}\p{N}_]+/gu)].length,
  mentions: (text: string) => [...text.matchAll(/(?<![\p{L}\p{N}_.])@[\w.]+/gu)].length,
  links: (text: string) => new Set([...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([link]) => link)).size,
}

function wordProblems({ name }: Platform, limits: AccountLimits, text: string): Problem[] {
  return keysOf(COUNTED).flatMap((what) => {
    const [number, most] = [COUNTED[what](text), limits[what]]
    if (most === undefined || number <= most) return []
    return [{ field: 'content', message: `has too many ${what} for ${name} (${number}, maximum is ${most})` }]
  })
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

/** Returns a problem when a required audience is missing or invalid, or when the platform accepts no options. */
function optionProblems({ platform, name }: Platform, { audiences }: AccountLimits, { overrides }: Draft): Problem[] {
  const options = overrides[platform]?.options
  const problem = (message: string): Problem[] => [{ field: 'overrides', message }]
  if (!audiences) return options ? problem(`has options, which ${name} does not take`) : []
  const chosen = options?.privacy_level
  const choices = audiences.join(', ')
  if (chosen === undefined)
    return problem(
      `has no audience for ${name}: a person must choose ${platform}.options.privacy_level, one of ${choices}`,
    )
  if (!audiences.includes(chosen))
    return problem(`has the audience ${chosen}, which ${name} does not offer this account, only ${choices}`)
  if (!options?.branded_content || chosen !== 'SELF_ONLY') return []
  return problem(`has branded content, which cannot be private on ${name}`)
}

function commentProblems({ platform, name, supports }: Platform, limits: AccountLimits, comment: string): Problem[] {
  const most = limits.commentCharacters ?? limits.characters
  const characters = countCharacters(platform, comment, limits.charactersPerLink)
  if (!supports.first_comment || characters <= most) return []
  return [{ field: 'first_comment', message: `is too long for ${name} (${characters} characters, maximum is ${most})` }]
}
