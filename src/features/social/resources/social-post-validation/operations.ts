import { type AnswerOf, exampleId } from '../../../../contract/declarations/noun.ts'
import { inWords } from '../../../../format/names.ts'
import { sentenceCase } from '../../../../format/sentences.ts'
import type { Context } from '../../../../records/context.ts'
import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { type Draft, requireAccounts, requireKnownMedia } from '../social-post/content.ts'
import { type Fit, fitsOf, type Problem } from '../social-post/limits.ts'
import { timeProblem } from '../social-post/publish.ts'
import { WRITTEN } from '../social-post/social-post.ts'
import { type Result, SocialPostValidation } from './social-post-validation.ts'

interface Input extends Partial<Draft> {
  social_accounts: string[]
  scheduled_at?: string | null
}

/** Makes the same checks as publishing a post, but stores and publishes nothing. */
async function validatePost(context: Context, input: Input): Promise<AnswerOf<typeof SocialPostValidation>> {
  const { rows: accounts } = await requireAccounts(context, input.social_accounts)
  const { content, link_url, first_comment, media = [], overrides = {}, scheduled_at } = input
  const draft = { content, link_url, first_comment, media, overrides, ...(await requireKnownMedia(context, input)) }
  const fits = await fitsOf(context, { draft, accounts, scheduled: scheduled_at != null })
  const untimely = scheduled_at == null ? null : timeProblem(context, scheduled_at)
  const results = fits.map((fit) => resultOf(fit, untimely))
  return { valid: results.length > 0 && results.every(({ valid }) => valid), results }
}

function resultOf({ account, limits, characters, problems }: Fit, untimely: string | null): Result {
  const errors = [...problems.map(inSentence), ...(untimely === null ? [] : [`Scheduled at ${untimely}`])]
  return {
    social_account: account.id,
    platform: account.platform,
    valid: errors.length === 0,
    errors,
    characters,
    max_characters: limits.characters,
  }
}

/** Returns a problem as a sentence, such as `Content is too long for X …`. */
function inSentence({ field, message }: Problem): string {
  return `${sentenceCase(inWords(field))} ${message}`
}

export const socialPostValidations = resource(SocialPostValidation, {
  operations: [
    custom({
      id: 'validate_social_post',
      method: 'POST',
      path: '/social_posts/validate',
      summary: 'Check a post against platform limits without saving',
      description:
        'Tells in advance whether the text is too long or a picture is missing, for each account. Answers 200 even if the post does not fit.',
      answers: SocialPostValidation,
      readsOnly: true,
      body: WRITTEN,
      example: { content: 'Our spring collection is here.', social_accounts: [exampleId('sacct')] },
      rule: (context, { input }) => validatePost(context, input),
    }),
  ],
})
