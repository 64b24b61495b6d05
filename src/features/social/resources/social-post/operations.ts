import { sql } from 'kysely'
import { oneOf, text, timestamp, timeZone } from '../../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../../contract/declarations/noun.ts'
import { one } from '../../../../contract/declarations/parameter.ts'
import { containing } from '../../../../records/containing.ts'
import { anyOf, equals, filter } from '../../../../records/filters.ts'
import { resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { deliveriesByPost } from '../social-delivery/of-post.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'
import { publishDue, publishPost, requirePlannable, retryPost, schedulePost, unschedulePost } from './schedule.ts'
import { SocialPost } from './social-post.ts'
import { createPost, deletePost, duplicatePost, POST_CHECKS, updatePost } from './write.ts'

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
          text('Only posts for the account with this id', { max: 200, example: exampleId('sacct') }),
          (id) => containing('social_accounts', `"${id}"`),
        ),
        platform: anyOf(oneOf(PLATFORM_NAMES, 'Only posts for an account on this platform'), (platform) =>
          containing('platforms', `"${platform}"`),
        ),
        scheduled_after: filter(one(timestamp('Only posts scheduled after this time')), (query, moment) =>
          query.where(sql<boolean>`scheduled_at > ${moment}`),
        ),
        scheduled_before: filter(one(timestamp('Only posts scheduled before this time')), (query, moment) =>
          query.where(sql<boolean>`scheduled_at < ${moment}`),
        ),
      },
    }),
    create({
      summary: 'Draft, schedule or publish a social post',
      description:
        'Writes an announcement for one or several networks. Requires content or media. Platform limits are checked when it is scheduled or published, not for drafts. A program sees it as publishing, since it is sent to the platforms after the commit.',
      emits: ['social_post.created', 'social_post.scheduled'],
      example: { content, social_accounts: [exampleId('sacct')] },
      checks: POST_CHECKS,
      rule: createPost,
    }),
    retrieve({ summary: 'Show one social post' }),
    update({
      summary: 'Change a draft or scheduled post',
      description: 'Rewords it, or changes its accounts or time. In any other status, 400 invalid_state.',
      emits: ['social_post.updated'],
      rule: updatePost,
    }),
    remove({
      summary: 'Delete a post from the service',
      description:
        'Removes a draft, scheduled post, or one in any status except publishing. Already published copies stay on the platforms; fetched comments stay here.',
      emits: ['social_post.deleted'],
      rule: deletePost,
    }),
    action('publish', {
      summary: 'Publish a post now',
      description:
        'Sends it out immediately, on all of its accounts. It must be a draft, scheduled or failed, and fit all of them, else 422. Each account gets it only once, even after a crash.',
      emits: ['social_post.updated'],
      rule: publishPost,
    }),
    action('schedule', {
      summary: 'Schedule a draft',
      description:
        'Schedules a draft or failed post for later, or moves a scheduled one to another date. It must fit all of its accounts, else 422.',
      body: {
        scheduled_at: timestamp('When to publish it; in the future, within a year', '2027-01-31T09:00:00Z').required(),
        timezone: timeZone('Time zone for showing its times; scheduled_at has its own offset. Default: the post’s'),
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
      description: 'Takes it off the calendar; it is not published until scheduled again.',
      emits: ['social_post.updated'],
      rule: unschedulePost,
    }),
    action('retry', {
      summary: 'Retry the accounts that failed',
      description: 'Publishes it again on the accounts where it failed. Accounts that already have it are skipped.',
      emits: ['social_post.updated'],
      rule: retryPost,
    }),
    action('duplicate', {
      summary: 'Copy a post into a new draft',
      description: 'Copies its text and media, from any status. The copy has no times and no targets.',
      emits: ['social_post.created'],
      rule: duplicatePost,
    }),
  ],
})
