import { z } from 'zod'
import { flag, structure } from '../../../contract/kinds.ts'
import { answerNoun, exampleId } from '../../../contract/noun.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'

const Result = z.object({
  social_account: z.string().describe('Account that the post would go to'),
  platform: z.enum(PLATFORM_NAMES).describe('Social network of the account'),
  valid: z.boolean().describe('The post can be published there'),
  errors: z.array(z.string()).describe('What keeps it from being published there'),
  characters: z.int().describe('Number of characters of its text there, the link included'),
  max_characters: z.int().describe('Number of characters that a text there may have'),
})
export type Result = z.infer<typeof Result>

export const SocialPostValidation = answerNoun('social_post_validation', {
  group: 'SocialPosts',
  description: 'Whether a post could be published as it is, on each of its accounts.',
  fields: {
    valid: flag('It can be published on all of its accounts', true),
    results: structure('array', z.array(Result), 'The outcome for each account, in their order', [
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
