import { sql } from 'kysely'
import { oneOf, text, timestamp, timeZone } from '../../../contract/kinds.ts'
import { exampleId } from '../../../contract/noun.ts'
import { one } from '../../../contract/parameter.ts'
import { anyOf, equals, filter } from '../../../records/filters.ts'
import { containing } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { deliveriesByPost } from '../social_delivery/of_post.ts'
import { PLATFORM_NAMES } from '../social_platform/social_platform.ts'
import { createPost, POST_CHECKS } from './create.ts'
import { deletePost } from './delete.ts'
import { duplicatePost } from './duplicate.ts'
import { publishPost, retryPost } from './publish.ts'
import { publishDue, schedulePost, unschedulePost } from './schedule.ts'
import { SocialPost } from './social_post.ts'
import { requirePlannable } from './times.ts'
import { updatePost } from './update.ts'

const { list, create, retrieve, update, remove, action } = verbs(SocialPost)

const content = 'Our spring collection is here.'

export const socialPosts = resource(SocialPost, {
  collections: { targets: deliveriesByPost },
  jobs: [publishDue],
  operations: [
    list({
      summary: 'List social posts',
      filters: {
        status: equals(SocialPost, 'status', 'Only posts in this status'),
        social_account: anyOf(
          text('Only posts for the account of this id', { max: 200, example: exampleId('sacct') }),
          (id) => containing('social_accounts', `"${id}"`),
        ),
        platform: anyOf(oneOf(PLATFORM_NAMES, 'Only posts for an account on this platform'), (platform) =>
          containing('platforms', `"${platform}"`),
        ),
        scheduled_after: filter(one(timestamp('Only posts planned for after this moment')), (query, moment) =>
          query.where(sql<boolean>`scheduled_at > ${moment}`),
        ),
        scheduled_before: filter(one(timestamp('Only posts planned for before this moment')), (query, moment) =>
          query.where(sql<boolean>`scheduled_at < ${moment}`),
        ),
      },
    }),
    create({
      summary: 'Draft, schedule or publish a social post',
      description:
        'Writes an announcement for one or several networks. Needs content or media. Limits of the platforms are checked when it is scheduled or published, not for a draft. A program shows it as publishing, since platforms are asked after the commit.',
      emits: ['social_post.created', 'social_post.scheduled'],
      example: { content, social_accounts: [exampleId('sacct')] },
      checks: POST_CHECKS,
      rule: createPost,
    }),
    retrieve({ summary: 'Show one social post' }),
    update({
      summary: 'Change a draft or scheduled post',
      description:
        'Rewords it, or moves it to other accounts or to another time. In any other status 400 invalid_state.',
      emits: ['social_post.updated'],
      rule: updatePost,
    }),
    remove({
      summary: 'Delete a post from the service',
      description:
        'Removes a draft, a planned post, or one in any other status but publishing. Already published copies stay on the platforms; comments that were read stay here.',
      emits: ['social_post.deleted'],
      rule: deletePost,
    }),
    action('publish', {
      summary: 'Publish a post now',
      description:
        'Sends it out immediately, on all of its accounts. A draft, a scheduled or a failed post that fits all of them, else 422. Each account gets it once, even after a crash.',
      emits: ['social_post.updated'],
      rule: publishPost,
    }),
    action('schedule', {
      summary: 'Schedule a draft',
      description:
        'Plans a draft or a failed post for later, or moves a scheduled one to another date. It must fit all of its accounts, else 422.',
      body: {
        scheduled_at: timestamp(
          'When it is published; in the future, within a year',
          '2027-01-31T09:00:00Z',
        ).required(),
        timezone: timeZone(
          'Time zone for showing its times; scheduled_at has an offset of its own. Absent: that of the post',
        ),
      },
      example: { scheduled_at: '2027-01-31T09:00:00Z' },
      emits: ['social_post.updated', 'social_post.scheduled'],
      checks: [
        {
          fields: ['scheduled_at'],
          check: (context, { scheduled_at }) => scheduled_at && requirePlannable(context, scheduled_at),
        },
      ],
      rule: schedulePost,
    }),
    action('unschedule', {
      summary: 'Turn a scheduled post back into a draft',
      description: 'Takes it off the calendar; it is not published until it is planned again.',
      emits: ['social_post.updated'],
      rule: unschedulePost,
    }),
    action('retry', {
      summary: 'Publish again to the targets that failed',
      description: 'A second try where it did not go out. Accounts that already have it are left alone.',
      emits: ['social_post.updated'],
      rule: retryPost,
    }),
    action('duplicate', {
      summary: 'Copy a post into a new draft',
      description: 'Reuses its words and media, in any status. The copy has no times and no targets.',
      emits: ['social_post.created'],
      rule: duplicatePost,
    }),
  ],
})
