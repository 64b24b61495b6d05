import { exampleId } from '../../../../contract/declarations/noun.ts'
import { custom } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { WRITTEN } from '../social-post/social-post.ts'
import { SocialPostValidation } from './social-post-validation.ts'
import { validatePost } from './validate.ts'

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
