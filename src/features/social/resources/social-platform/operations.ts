import { customList } from '../../../../records/custom.ts'
import { resource } from '../../../../records/resource.ts'
import { PLATFORMS } from './platforms.ts'
import { SocialPlatform } from './social-platform.ts'

export const socialPlatforms = resource(SocialPlatform, {
  operations: [
    customList({
      id: 'list_social_platforms',
      method: 'GET',
      path: '/social_accounts/platforms',
      summary: 'List supported platforms with their limits',
      description:
        'All social networks you can publish on, not paginated: how long a post can be, and how many pictures and videos it can have.',
      answers: SocialPlatform,
      rule: async () => ({ rows: [...PLATFORMS], hasMore: false }),
    }),
  ],
})
