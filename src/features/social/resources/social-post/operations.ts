import { sql } from 'kysely'
import { invalid, missingParameter } from '../../../../contract/declarations/errors.ts'
import { oneOf, text, timestamp, timeZone } from '../../../../contract/declarations/kinds.ts'
import { type Changes, type CreateInput, exampleId } from '../../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../../contract/declarations/operation.ts'
import { one } from '../../../../contract/declarations/parameter.ts'
import { containing } from '../../../../records/containing.ts'
import type { Context } from '../../../../records/context.ts'
import { anyOf, equals, filter } from '../../../../records/filters.ts'
import { changeRow, deleteRow, findRows, insertRow } from '../../../../records/records.ts'
import { resource } from '../../../../records/resource.ts'
import { deleteRowsOf, updateRowsOf } from '../../../../records/rows-of.ts'
import { requireState, verbs } from '../../../../records/verbs.ts'
import { SocialAccount } from '../social-account/social-account.ts'
import { deliveriesByPost, keepSimulated, removeDeliveries, setDeliveries } from '../social-delivery/publish.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'
import { requireAccounts, requireContent, requireMedia } from './content.ts'
import {
  planPost,
  publishDue,
  publishPost,
  replan,
  requirePlannable,
  requirePublishable,
  retryPost,
  schedulePost,
  startPublishing,
  unschedulePost,
} from './publish.ts'
import { SocialPost, type SocialPostRow } from './social-post.ts'

type Input = CreateInput<typeof SocialPost>

/** Creates a draft. If the request contains scheduled_at, the post is scheduled; with publish_now, it is published at once. */
async function createPost(context: Context, input: Input): Promise<SocialPostRow> {
  requireOneTime(input)
  const post = await insertPost(context, input)
  context.emit(SocialPost, 'created', post)
  if (input.publish_now) return shown(context, await startPublishing(context, post, { awaited: true }))
  if (!input.scheduled_at) return post
  requirePlannable(context, input.scheduled_at)
  return shown(context, await planPost(context, post, input.scheduled_at))
}

const POST_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  { fields: ['content', 'media'], check: (_, given) => requireSomething(given) },
  {
    fields: ['content', 'media'],
    check: (_, { content = null, media = [] }) => content !== null && requireContent({ content, media }),
  },
  { fields: ['media'], check: (context, { media = [] }) => requireMedia(context, { media }) },
  { fields: ['overrides'], check: (context, { overrides = {} }) => requireMedia(context, { overrides }) },
  { fields: ['publish_now', 'scheduled_at'], check: (_, given) => requireOneTime(given) },
  {
    fields: ['scheduled_at'],
    check: (context, { scheduled_at }) => scheduled_at && requirePlannable(context, scheduled_at),
  },
  { fields: ['social_accounts'], check: (_, { social_accounts }) => requireAny(social_accounts) },
]

function requireOneTime({ publish_now, scheduled_at }: Partial<Input>): void {
  if (publish_now && scheduled_at) throw invalid({ scheduled_at: ['cannot be given together with publish_now'] })
}

function requireAny(accounts: readonly string[] | undefined): void {
  if (accounts?.length === 0) throw invalid({ social_accounts: ["can't be blank"] })
}

/** Emits the `created` event again, now with the scheduled or publishing post, and returns the post. */
function shown(context: Context, post: SocialPostRow): SocialPostRow {
  return context.emit(SocialPost, 'created', post)
}

type PostValues = Omit<Input, 'publish_now'> & Partial<Pick<Input, 'publish_now'>>

/** Inserts a draft after checking that all files and accounts to which it refers exist. */
async function insertPost(context: Context, input: PostValues): Promise<SocialPostRow> {
  const { ids, platforms, rows } = await requireAccounts(context, input.social_accounts)
  requireAny(ids)
  const used = await requireMedia(context, input)
  requireSomething(input)
  requireContent(input)
  return insertRow(context, SocialPost, {
    ...input,
    ...used,
    ...{ social_accounts: ids, platforms, status: 'draft' },
    timezone: input.timezone ?? rows[0]!.default_timezone,
  })
}

function requireSomething({ content, media }: Partial<Pick<Input, 'content' | 'media'>>): void {
  if (content == null && !media?.length) throw missingParameter('content')
}

type PostChanges = Changes<typeof SocialPost>

/** Changes a draft or scheduled post. A scheduled post must still meet the limits of all its accounts. */
async function updatePost(context: Context, post: SocialPostRow, given: PostChanges): Promise<SocialPostRow> {
  requireState(SocialPost, 'update', post)
  const changes = { ...given, ...(await requireMedia(context, given)), ...(await accountsOf(context, given)) }
  requireContent({ ...post, ...changes })
  const { scheduled_at } = changes
  if (scheduled_at != null && scheduled_at !== post.scheduled_at) requirePlannable(context, scheduled_at)
  if (scheduled_at === null && post.status === 'scheduled') throw invalid({ scheduled_at: ["can't be blank"] })
  const changed = await changeRow(context, SocialPost, post, changes)
  const current = changed.status === 'scheduled' ? await keepPlanned(context, post, changed) : changed
  return context.emit(SocialPost, 'updated', current)
}

async function accountsOf(context: Context, { social_accounts: given }: PostChanges) {
  if (given === undefined) return {}
  const { ids, platforms } = await requireAccounts(context, given)
  if (ids.length === 0) throw invalid({ social_accounts: ["can't be blank"] })
  return { social_accounts: ids, platforms }
}

/** Checks a scheduled post again if the change affects its publication. After other changes, the state of its accounts does not matter. */
async function keepPlanned(context: Context, before: SocialPostRow, post: SocialPostRow): Promise<SocialPostRow> {
  const names = [
    'content',
    'media',
    'link_url',
    'first_comment',
    'overrides',
    'social_accounts',
    'scheduled_at',
  ] as const
  if (names.every((name) => JSON.stringify(before[name]) === JSON.stringify(post[name]))) return post
  await setDeliveries(context, post.id, await requirePublishable(context, post, true))
  return post.scheduled_at === before.scheduled_at ? post : replan(context, post, post.scheduled_at!)
}

/** Deletes a post from this service. Published posts remain on the platforms, and their comments remain in this service. */
async function deletePost(context: Context, post: SocialPostRow): Promise<void> {
  requireState(SocialPost, 'delete', post)
  if (post.due_job !== null) await context.cancel(post.due_job)
  await keepSimulated(context, post)
  await removeDeliveries(context, post.id)
  await deleteRowsOf(context, 'social_figures').where('social_post', '=', post.id).execute()
  await updateRowsOf(context, 'social_comments').set({ social_post: null }).where('social_post', '=', post.id).execute()
  await deleteRow(context, SocialPost, post)
  context.emit(SocialPost, 'deleted', post)
}

/** Creates a draft with the content and accounts of a post. Accounts that no longer exist are left out. */
async function duplicatePost(context: Context, post: SocialPostRow): Promise<SocialPostRow> {
  const found = await findRows(context, SocialAccount, post.social_accounts)
  const social_accounts = post.social_accounts.filter((id) => found.has(id))
  if (social_accounts.length === 0) throw invalid({ social_accounts: ['were all disconnected'] })
  const { content, media, link_url, first_comment, language, overrides, timezone, metadata } = post
  const copy = await insertRow(context, SocialPost, {
    ...{ content, media, link_url, first_comment, language, overrides, timezone, metadata, social_accounts },
    platforms: [...new Set([...found.values()].map(({ platform }) => platform))],
    status: 'draft',
  })
  return context.emit(SocialPost, 'created', copy)
}

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
      rule: updatePost,
    }),
    remove({
      summary: 'Delete a post from the service',
      description:
        'Removes a draft, scheduled post, or one in any status except publishing. Already published copies stay on the platforms; fetched comments stay here.',
      rule: deletePost,
    }),
    action('publish', {
      summary: 'Publish a post now',
      description:
        'Sends it out immediately, on all of its accounts. It must be a draft, scheduled or failed, and fit all of them, else 422. Each account gets it only once, even after a crash.',
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
      rule: unschedulePost,
    }),
    action('retry', {
      summary: 'Retry the accounts that failed',
      description: 'Publishes it again on the accounts where it failed. Accounts that already have it are skipped.',
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
