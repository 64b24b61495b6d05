import { z } from 'zod'
import { flag, structure } from '../../../../contract/declarations/kinds.ts'
import { answerNoun, exampleId } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

const Result = z.object({
  social_account: z.string().describe('Account to publish on'),
  platform: z.enum(PLATFORM_NAMES).describe('Social network of the account'),
  valid: z.boolean().describe('Whether the post can be published there'),
  errors: z.array(z.string()).describe('Reasons why it cannot be published there'),
  characters: z
    .int()
    .describe(
      'Number of characters of its text as that network counts them, including the link: X counts links as 23, and emoji and Asian scripts as 2 each; Bluesky and Mastodon count what people see as one character, Mastodon links as 23',
    ),
  max_characters: z.int().describe('Number of characters allowed there'),
})
export type Result = z.infer<typeof Result>

export const SocialPostValidation = answerNoun('social_post_validation', {
  group: 'SocialPosts',
  area: 'content',
  description: 'Whether a post could be published as is, for each of its accounts.',
  gist: '',
  fields: {
    valid: flag('Whether it can be published on all of its accounts', true),
    results: structure('array', z.array(Result), 'Result for each account, in order', [
      {
        social_account: exampleId('sacct'),
        platform: 'x',
        valid: true,
        errors: [],
        characters: 30,
        max_characters: 280,
      },
    ]),
  },
})
