import type { Override, Overrides } from '../../../resources/social/social_post/social_post.ts'
import { momentOfInput } from '../kit/times.ts'
import type { Visit } from '../kit/visit.ts'
import type { Draft } from './networks.ts'
import { overrideOf } from './post-options.ts'

/** `kept` are the overrides of a post that have media of their own, which this form leaves as they are. */
export function bodyOf(visit: Visit, draft: Draft, kept: Overrides = {}) {
  const given = Object.entries(draft.overrides).filter(([, words]) => words.trim() !== '')
  const withMedia = Object.entries(kept).filter(([, override]) => override.media)
  const overrides: Record<string, Override> = { ...overrideOf(draft.options) }
  for (const [platform, { media }] of withMedia) overrides[platform] = { ...overrides[platform], media }
  for (const [platform, content] of given) overrides[platform] = { ...overrides[platform], content }
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  return {
    content: orNull(draft.content),
    social_accounts: draft.accounts,
    media: draft.media,
    link_url: orNull(draft.link_url),
    first_comment: orNull(draft.first_comment),
    language: orNull(draft.language),
    overrides,
    ...(draft.scheduled_at !== '' && { scheduled_at: momentOfInput(draft.scheduled_at, visit.account.timezone) }),
  }
}
